#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gen/vector/machine_program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// What is asked for: a program for a map, on a kind of machine.
struct WisdomKey {
  std::uint64_t map = 0;       ///< a checksum of the direct equations, wherever their cells lie
  std::uint32_t operands = 0;  ///< of an XOR of the machine: 2 (AVX2) or 3 (AVX-512)
  friend auto operator<=>(const WisdomKey&, const WisdomKey&) = default;
};

/// The key of direct equations.
WisdomKey wisdom_key(const Program& direct, std::uint32_t operands);

/// An entry as bytes; docs/wisdom.md has the format.
std::vector<std::uint8_t> wisdom_bytes(const WisdomKey& key, const OrderedProgram& entry);

/// The bytes of the entry that some bytes begin with, and its key, if they are one of this version.
/// Its checksum is not compared.
struct WisdomRecord {
  WisdomKey key;
  Effort effort;
  std::span<const std::uint8_t> bytes;
};
std::optional<WisdomRecord> first_record(std::span<const std::uint8_t> bytes);

/// What a record holds, or none if it is damaged.
std::optional<OrderedProgram> entry_of(const WisdomRecord& record);

/// The entries that the library carries, one after the other: library/README.md says which they
/// are.
std::span<const std::uint8_t> shipped_wisdom();

/// The record of a key among them, if there is one.
std::optional<WisdomRecord> shipped_record(const WisdomKey& key);

/// Programs that took long to find: those that the library carries, and the user's own, a file each
/// in a directory. Processes may share a directory. Nothing in it is trusted, and nothing that is
/// wrong with it is an error: the program is searched again.
///
/// All functions may be called by many threads at once.
class Wisdom {
 public:
  /// The word for none at all, instead of a directory.
  static constexpr std::string_view kOff = "off";

  /// Files take no more than that in a directory: the oldest go.
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;

  /// The word for the directory `wisdom` in the user's cache directory.
  static constexpr std::string_view kUser = "user";

  /// "" is no directory: what comes with Xorloom.
  explicit Wisdom(std::string_view place);

  bool is_on() const { return is_on_; }

  /// The programs on which most effort was spent, if that is `least` or more.
  std::optional<OrderedProgram> find(const WisdomKey& key, Effort least) const noexcept;

  /// Keeps programs, in place of others of that key on which less effort was spent. A file appears
  /// complete or not at all; it is not synced to disk.
  void keep(const WisdomKey& key, const OrderedProgram& entry) const noexcept;

  /// Removes the user's own programs of a key, which have turned out to be wrong.
  void forget(const WisdomKey& key) const noexcept;

  /// The file that they are kept in.
  std::filesystem::path path_of(const WisdomKey& key) const;

 private:
  bool is_on_ = true;
  std::filesystem::path directory_;  ///< "": none
};

}  // namespace xorloom
