#pragma once

#include "runtime/upkeep/locked_directories.hpp"
#include "runtime/upkeep/restore_files.hpp"

namespace xorloom {

/// Writes anew the protection files that are damaged, and those that are missing and have a place.
/// Each appears complete or not at all, and allows others at most what all existing ones do.
/// Precondition: all files are whole.
///
/// Errors: throws what write_parts() and check_not_updated() throw.
void rewrite_parts(const Protection& protection, const ProtectionCheck& check,
                   const RestoreRequest& request, Progress& progress, RestoredFiles& result);

/// Locks the directories of the protection files against updates, unless the system forbids to write
/// there.
///
/// Errors: throws what DirectoryLock and check_not_updated() throw.
void lock_parts(const Protection& protection, LockedDirectories& locks);

/// Errors: throws kIo if a protection file was replaced since it was opened. Precondition: its
///         directory is locked, or no update runs.
void check_not_updated(const Protection& protection);

}  // namespace xorloom
