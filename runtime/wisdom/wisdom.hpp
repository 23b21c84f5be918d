#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "runtime/wisdom/wisdom_entry.hpp"

namespace xorloom {

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

  /// "" is the directory `wisdom` in the user's cache directory.
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
