#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "runtime/atlas/atlas_header.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/files/mapped_file.hpp"

namespace xorloom {

/// True if the file begins like an atlas, damaged or not.
bool is_atlas(const std::filesystem::path& path);

/// Programs of a code that were compiled before, mapped into memory from a file; see
/// runtime/atlas/atlas_header.hpp.
///
/// Opening an atlas checks all but the records. A record is checked whenever it is asked for: its
/// checksum, and that it is a program of these losses. Precondition: the caller proves that the
/// program computes what the code says. All functions may be called by many threads at once.
class Atlas {
 public:
  /// Errors: throws kInvalidArgument if there is no such file, kParse if it is no atlas,
  ///         kUnsupported if it is of a newer version, kDamaged; all name the file.
  explicit Atlas(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  const AtlasHeader& header() const { return header_; }

  /// Throws kInvalidArgument, naming both, unless the atlas is of `code`; packet_bytes may differ.
  /// Throws kDamaged if it is, but its format is not that of the code.
  void check_code(const Code& code) const;

  /// Programs that compute a pattern.
  struct Found {
    Program equations;
    /// The program that machine code runs if its instructions XOR two operands, and three. nullptr:
    /// no order was searched.
    std::shared_ptr<const Program> two_way{};
    std::shared_ptr<const Program> three_way{};

    /// The program for instructions that XOR `operands` operands.
    const std::shared_ptr<const Program>& order(std::size_t operands) const {
      return operands == 3 ? three_way : two_way;
    }
  };

  /// Programs that rebuild all `lost` locations (in any order; empty: encoding) of the atlas's
  /// code. nullopt if they cannot be rebuilt, are too many, or are no distinct locations.
  ///
  /// Errors: throws kDamaged, naming the file.
  std::optional<Found> find(const Code& code, std::span<const std::size_t> lost) const;

  /// The equations that find() returns, alone. Errors: as for find().
  std::optional<Program> program(const Code& code, std::span<const std::size_t> lost) const;

  /// The records of pattern number `pattern`. Several patterns may share them. Errors: as for
  /// find().
  AtlasEntry records_at(std::uint64_t pattern) const;

  /// The equations of a record, without their places. On words the field has the code's w, but the
  /// default polynomial and no basis. Errors: as for find().
  Program program_of(std::uint32_t record) const;

  /// The number of damaged records. Cost: reads the whole file.
  std::size_t num_damaged() const;

 private:
  AtlasEntry entry_of(std::span<const std::size_t> lost) const;
  std::vector<std::uint8_t> record(std::uint32_t number) const;
  [[noreturn]] void fail_as_damaged(const std::string& why) const;

  std::filesystem::path path_;
  MappedFile file_;
  AtlasHeader header_;
  AtlasLayout layout_;
  Field field_;  ///< field of the programs, as far as the header tells
};

}  // namespace xorloom
