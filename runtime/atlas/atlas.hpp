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

/// The programs of a code, compiled before and mapped into memory; see
/// runtime/atlas/atlas_header.hpp.
///
/// Opening one checks all but the records. What a record holds is checked whenever it is asked for:
/// its checksum, and that it is a program of these losses. That it computes what the code says is
/// for the caller to prove. All functions may be called by many threads at once.
class Atlas {
 public:
  /// Errors: throws kInvalidArgument if there is no such file, kParse if it is no atlas,
  ///         kUnsupported if it is of a newer version, kDamaged; all name the file.
  explicit Atlas(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  const AtlasHeader& header() const { return header_; }

  /// Throws kInvalidArgument, naming both, unless the atlas is of a code. packet_bytes may differ.
  /// Throws kDamaged if it is, and its format is not that of the code.
  void check_code(const Code& code) const;

  /// What computes a pattern.
  struct Found {
    Program equations;
    /// The same as machine code computes it if an instruction adds two operands, and three. nullptr:
    /// no search was spent on an order.
    std::shared_ptr<const Program> two_way{};
    std::shared_ptr<const Program> three_way{};

    /// The order for instructions that add `operands` operands.
    const std::shared_ptr<const Program>& order(std::size_t operands) const {
      return operands == 3 ? three_way : two_way;
    }
  };

  /// What rebuilds all lost locations (in any order; none is encoding) of the atlas's code, or none
  /// if they cannot be rebuilt, are too many, or name no locations.
  ///
  /// Errors: throws kDamaged, naming the file.
  std::optional<Found> find(const Code& code, std::span<const std::size_t> lost) const;

  /// The equations of that alone. Errors: as above.
  std::optional<Program> program(const Code& code, std::span<const std::size_t> lost) const;

  /// The records of a pattern, by its number. Several patterns may have the same. Errors: as above.
  AtlasEntry records_at(std::uint64_t pattern) const;

  /// The equations of a record, without their places. On words the field has the code's w, but the
  /// default polynomial and no basis. Errors: as above.
  Program program_of(std::uint32_t record) const;

  /// How many of the records are damaged. Cost: reads the whole file.
  std::size_t num_damaged() const;

 private:
  AtlasEntry entry_of(std::span<const std::size_t> lost) const;
  std::vector<std::uint8_t> record(std::uint32_t number) const;
  [[noreturn]] void fail_as_damaged(const std::string& why) const;

  std::filesystem::path path_;
  MappedFile file_;
  AtlasHeader header_;
  AtlasLayout layout_;
  Field field_;  ///< of the programs, as far as the header tells
};

}  // namespace xorloom
