#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/store/record.hpp"

namespace xorloom {

/// The records that the library carries, one after the other: library/README.md says which they
/// are.
std::span<const std::uint8_t> shipped_records();

/// The record of a key among them, if there is one.
std::optional<ProgramRecord> shipped_record(const ProgramKey& key);

/// Programs that took long to find: those that the library carries, and those of a directory, a
/// file each. Processes may share a directory. Nothing in it is trusted: who takes a program proves
/// it. Nothing that is wrong with a directory is an error: the program is searched again.
///
/// All functions may be called by many threads at once.
class Store {
 public:
  /// The word for no store at all, instead of a directory.
  static constexpr std::string_view kOff = "off";

  /// The word for the directory `wisdom` in the user's cache directory.
  static constexpr std::string_view kUser = "user";

  /// Files of programs for machine code take no more than that in a directory, nor does any file in
  /// the user's cache directory: the oldest go.
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;

  /// "" is no directory: what comes with Xorloom.
  explicit Store(std::string_view place);

  bool is_on() const { return is_on_; }
  const std::filesystem::path& directory() const { return directory_; }

  /// The program for machine code on which most effort was spent, if that is `least` or more.
  std::optional<OrderedProgram> find(const ProgramKey& key, Effort least) const noexcept;

  /// Equations of few XORs over a field that the library carries, and those of the directory.
  std::optional<FewXors> shipped_few_xors(const ProgramKey& key,
                                          const Field& field = gf2()) const noexcept;
  std::optional<FewXors> own_few_xors(const ProgramKey& key,
                                      const Field& field = gf2()) const noexcept;

  /// Keeps a program, in place of another of that key on which less effort was spent. A file
  /// appears complete or not at all; it is not synced to disk.
  void keep(const ProgramKey& key, const OrderedProgram& program) const noexcept;

  /// Keeps equations in place of others of that key. False: the directory cannot be written.
  bool keep(const ProgramKey& key, const FewXors& equations) const noexcept;

  /// Removes the directory's own program of a key, which has turned out to be wrong.
  void forget(const ProgramKey& key) const noexcept;

  /// The file that it is kept in.
  std::filesystem::path path_of(const ProgramKey& key) const;

 private:
  bool is_on_ = true;
  bool is_users_ = false;
  std::filesystem::path directory_;  ///< "": none
};

}  // namespace xorloom
