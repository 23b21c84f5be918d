#pragma once

#include <filesystem>

#include "codes/text/json.hpp"
#include "runtime/upkeep/restore_files.hpp"

namespace xorloom::cli {

/// Result of repairing protected files.
struct RestoredReport {
  const Protection& protection;
  const ProtectionCheck& check;
  const RestoredFiles& restored;
  std::filesystem::path to;  ///< the directory of the restored files
  bool is_in_place = true;   ///< `to` is the directory of the protected files
  bool is_trial = false;     ///< nothing was done: this is what would be
  bool lists_all = false;    ///< text names every file
  double seconds = 0;
};

/// Notes what was done or, in a trial, what would be. What could not be done is said with -q, too.
void note_restored(const RestoredReport& report);

/// The report as data, with all files.
Json restored_json(const RestoredReport& report);

}  // namespace xorloom::cli
