#pragma once

#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// What verify and repair do for files that are protected where they are.

/// Whether any of some paths is a protection file.
bool names_protection(const std::vector<std::string>& paths);

struct ProtectedTask {
  std::vector<std::string> paths;  ///< protection files, and where else to look for what is missing
  std::string base;                ///< names are relative to it; empty: where the first of them is
  std::string format = "text";
  bool allow_large = false;
  Options run;
};

/// Says how the files and their protection are.
///
/// Errors: throws what open_protection throws; kDamaged if bytes are lost. Throws RecoverableDamage
///         if anything is damaged, moved or missing.
void verify_protected(const ProtectedTask& task);

/// Restores what can be had and notes how that went.
///
/// Errors: throws what open_protection and restore_files throw; kDamaged if bytes are lost.
void repair_protected(const ProtectedTask& task);

/// Prints what a protection file is for, without looking at the files.
void describe_protection(const std::string& path, const std::string& format);

/// --base: the directory of the names in a protection file.
void add_base(Command& command, std::string& base);

/// Throws kInvalidArgument if an option is given that means nothing where a protection file is
/// named, or nothing where none is.
void refuse_for_protection(bool given, const char* option);
void refuse_without_protection(bool given, const char* option);

}  // namespace xorloom::cli
