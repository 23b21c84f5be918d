#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "runtime/upkeep/protection_check.hpp"

namespace xorloom::cli {

/// Result of verifying a protection.
struct CheckedProtection {
  const Protection& protection;
  const ProtectionCheck& check;
  std::vector<std::string> unprotected{};  ///< new files
  bool has_read_files = true;              ///< not the protection files alone
  bool lists_all = false;                  ///< text names every file; see shortened()
  std::string base{};                      ///< directory of names; "": that of the protection file
  double seconds = 0;
  /// Symbolic links where protected files or directories were: see linked_names().
  std::vector<std::string> linked{};
  std::filesystem::path directory{};  ///< to which names are relative
};

/// True if a path is outside of the protected directories, so that no update protects it.
bool is_moved_out(const CheckedProtection& checked, const std::filesystem::path& path);

/// Output of `verify` for a protection.
Document checked_document(const CheckedProtection& checked);

/// Adds what `info` says of a protection file: parts, and a record to `protections` of the data.
void add_described(Document& document, const Protection& protection);

/// {"name": …} or, if the text is not UTF-8, also its bytes in "name_hex". So with another key.
Json named_json(const std::string& text, const char* key = "name");

/// The word for a kind: "whole", "damaged".
const char* to_string(FileState::Kind kind);

std::size_t count_files(const ProtectionCheck& check, FileState::Kind kind);

/// Condition for blocked files to be restored: the words after "can be restored only".
const char* blocked_text(const FoundSegments& found);

/// Blocks of redundancy that are damaged.
std::size_t num_bad_blocks(const ProtectionCheck& check);

}  // namespace xorloom::cli
