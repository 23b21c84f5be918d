#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "equations/files/equation_file.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "equations/passes/gate_prices.hpp"
#include "gen/vector/machine_program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

// A record of the store holds one searched program. docs/store.md has the format.

/// Key of a program in the store.
struct ProgramKey {
  std::uint64_t map = 0;  ///< checksum of the direct equations, without the places of their cells
  /// Operands of an XOR of the target machine: 2 (AVX2) or 3 (AVX-512). kFewXors: equations with
  /// few XORs, for any machine.
  std::uint32_t operands = 0;
  friend auto operator<=>(const ProgramKey&, const ProgramKey&) = default;
};
inline constexpr std::uint32_t kFewXors = 0;

/// The key of a program for machine code that computes `direct`.
ProgramKey program_key(const Program& direct, std::uint32_t operands);

/// Gates that equations are to have few of, instead of XORs.
struct FewGates {
  GatePrices prices;
  std::size_t levels = 0;  ///< wanted levels of gates; 0: any
};

/// The key of equations with few XORs that compute the same as `program` and, if `cores` is not 0,
/// have a plan for `cores` cores, or are of few `gates`. nullopt: `program` has more than
/// kMostKeyedOperands operands, too many for a record.
std::optional<ProgramKey> few_xors_key(const Program& program, std::size_t cores,
                                       const std::optional<FewGates>& gates = std::nullopt);
inline constexpr std::size_t kMostKeyedOperands = std::size_t{1} << 22;

/// Equations with few XORs, without places (see without_places()), and the effort of their search.
struct FewXors {
  Program program;
  std::optional<CoreSchedule> plan{};
  SearchRecord search{};
};

/// The first record of `bytes`; nullopt if they do not begin with a record of a known version. The
/// checksum is not verified.
struct ProgramRecord {
  ProgramKey key;
  Effort effort;
  std::span<const std::uint8_t> bytes;
};
std::optional<ProgramRecord> first_record(std::span<const std::uint8_t> bytes);

/// Convert a program for machine code, which has an order, to a record and back. nullopt: the
/// record is damaged or holds another kind of program.
std::vector<std::uint8_t> record_bytes(const ProgramKey& key, const OrderedProgram& program);
std::optional<OrderedProgram> machine_program_of(const ProgramRecord& record);

/// Convert equations with few XORs over `field` to a record and back. A plan must have one step per
/// equation of two operands. nullopt: the record is damaged or holds another kind of program.
std::vector<std::uint8_t> record_bytes(const ProgramKey& key, const FewXors& equations);
std::optional<FewXors> few_xors_of(const ProgramRecord& record, const Field& field = gf2());

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
