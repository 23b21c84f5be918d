#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "cli/shell/command.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// verify, repair and info for files that are protected in place.

/// True if at least one of `paths` is a protection file.
bool names_protection(const std::vector<std::string>& paths);

/// True if a path has the name that protection files have: *.xorloom.
bool has_protection_name(const std::string& path);

/// Throws kIo if the system does not let a file be opened.
void check_opens(const std::string& path);

/// Throws kIo if one of `paths`, none of which is a protection file, has the name of one.
void check_protection_names(const std::vector<std::string>& paths);

/// A protection, and options for working on it.
struct ProtectedPlace {
  std::vector<std::string> paths;  ///< protection files, and places to search for missing files
  std::string base;                ///< directory of the names; "": that of protection file 1
  bool allow_large = false;
  Options run;
  /// Without `base`: other directories of the names, tried if no larger file is in that one.
  std::vector<std::string> bases{};
  std::vector<std::string> likely_bases{};  ///< further ones that nobody named
};

struct VerifyTask {
  ProtectedPlace where;
  std::string format = "text";
  bool is_alone = false;  ///< look at the protection files, and not at the files
  std::function<void(const std::string&)> show = {};  ///< gets the result instead of being printed
  bool lists_all = false;                             ///< text names every file
};

/// Checks the files and their protection, and prints the result.
///
/// Errors: throws as open_protection(); kDamaged or kIo if bytes are lost; kIo if a file cannot be
///         read; RecoverableDamage if anything is damaged, edited, moved or missing.
void verify_protected(const VerifyTask& task);

struct RepairTask {
  ProtectedPlace where;
  std::vector<std::string> only;  ///< files and directories; none: all files
  std::string to;                 ///< directory of the restored files; "": their own places
  bool removes_kept = false;
  bool follows_links = false;  ///< also restores files behind links that lead out of the base
  bool is_trial = false;
  std::string format = "text";
  bool lists_all = false;  ///< text names every file
};

/// Restores what can be restored, and notes the result.
///
/// Errors: throws as open_protection() and restore_files(); kDamaged or kIo if bytes are lost; kIo
///         if a file could not be read or restored.
void repair_protected(const RepairTask& task);

/// Adds a description of a protection file and the files that it protects, without reading these.
void describe_protection(Document& document, const std::string& path);

/// Add FILE…, which may replace DIR (for help only), and --base, the directory of the names.
void add_protection_files(Command& command);

void add_base(Command& command, std::string& base);

/// Throw kInvalidArgument if `option` is given and does not go with protection files, or needs one
/// and none is named.
void refuse_for_protection(bool given, const char* option);
void refuse_without_protection(bool given, const char* option);

}  // namespace xorloom::cli
