#pragma once

#include "runtime/upkeep/restore_files.hpp"

namespace xorloom {

/// Writes anew the protection files that are damaged, and those that are missing and have a place.
/// Each appears complete or not at all, and allows others at most what all existing ones do.
/// Precondition: all files are whole.
///
/// Errors: throws what write_parts() throws.
void rewrite_parts(const Protection& protection, const ProtectionCheck& check,
                   const RestoreRequest& request, Progress& progress, RestoredFiles& result);

}  // namespace xorloom
