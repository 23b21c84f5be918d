#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "runtime/files/open_file.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/protection/protected_files.hpp"

namespace xorloom {

/// A file that was under a name, and has another one beside it.
struct KeptFile {
  std::filesystem::path path;
  std::filesystem::path kept;
  std::optional<FileIdentity> identity;
};

/// Gives what stands under a name another one beside it, NAME.damaged or the like, that is free and
/// not reserved. The name stays, too, where the file system has links. None if nothing is there.
///
/// Errors: throws kIo.
std::optional<KeptFile> keep_beside(
    const std::filesystem::path& path,
    const std::function<bool(const std::filesystem::path&)>& is_reserved);

/// Gives a finished file its name, in place of what was kept. If something else stands there by
/// now, that is kept, too, and its new name is the answer.
///
/// Errors: throws kIo.
std::optional<std::filesystem::path> put_in_place(
    PendingFile& file, const std::optional<KeptFile>& kept,
    const std::function<bool(const std::filesystem::path&)>& is_reserved);

/// Gives a file permissions and time, and the owner of what stands under its name, or else of the
/// directory, as far as the system lets it.
void set_info(const std::filesystem::path& path, const ProtectedFile& file,
              const std::filesystem::path& name);

}  // namespace xorloom
