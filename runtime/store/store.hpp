#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/store/record.hpp"

namespace xorloom {

/// The records that the library carries, one after the other; library/README.md lists them.
std::span<const std::uint8_t> shipped_records();

/// The shipped record for `key`; nullopt if there is none.
std::optional<ProgramRecord> shipped_record(const ProgramKey& key);

/// Programs that took long to find: those that the library carries, and those in files of a
/// directory. Several processes may share the directory.
///
/// Content of the directory is not trusted: callers prove each program. Errors of the directory are
/// ignored, and the program is searched again.
///
/// All functions may be called by many threads at once.
class Store {
 public:
  /// Name of a place: no store at all.
  static constexpr std::string_view kOff = "off";

  /// Name of a place: the directory `wisdom` in the user's cache directory.
  static constexpr std::string_view kUser = "user";

  /// Bound on the bytes of programs for machine code in a directory, and on all files in the user's
  /// cache directory. The oldest files are removed.
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;

  /// Opens kOff, kUser or a directory. "": no directory, only what the library carries.
  explicit Store(std::string_view place);

  bool is_on() const { return is_on_; }
  const std::filesystem::path& directory() const { return directory_; }

  /// Finds the program for machine code with the highest effort, if that is at least `least`.
  std::optional<OrderedProgram> find(const ProgramKey& key, Effort least) const noexcept;

  /// Find equations with few XORs over `field`: those that the library carries, and those of the
  /// directory.
  std::optional<FewXors> shipped_few_xors(const ProgramKey& key,
                                          const Field& field = gf2()) const noexcept;
  std::optional<FewXors> own_few_xors(const ProgramKey& key,
                                      const Field& field = gf2()) const noexcept;

  /// Keeps a program, unless the directory has one for `key` with at least its effort. The file
  /// appears complete or not at all, and is not synced to disk.
  void keep(const ProgramKey& key, const OrderedProgram& program) const noexcept;

  /// Keeps equations, replacing others for `key`. False: the directory cannot be written, or there
  /// is none.
  bool keep(const ProgramKey& key, const FewXors& equations) const noexcept;

  /// Removes the directory's program for `key`, which turned out to be wrong.
  void forget(const ProgramKey& key) const noexcept;

  /// The file for `key`.
  std::filesystem::path path_of(const ProgramKey& key) const;

 private:
  bool is_on_ = true;
  bool is_users_ = false;
  std::filesystem::path directory_;  ///< "": none
};

}  // namespace xorloom
