#include "runtime/wisdom/wisdom_entry.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "codes/text/error.hpp"
#include "equations/files/packed_program.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'X', 'L', 'W', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t kVersion = 2;

// Where the fields of the header are.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kBytesAt = 12;
constexpr std::size_t kMapAt = 16;
constexpr std::size_t kOperandsAt = 24;
constexpr std::size_t kEffortAt = 28;
constexpr std::size_t kEquationsAt = 32;
constexpr std::size_t kHeaderBytes = 36;
constexpr std::size_t kMostBytes = std::size_t{1} << 24;

/// By their numbers in a file.
constexpr std::array kEfforts = {Effort::kFast, Effort::kQuick, Effort::kNormal, Effort::kMax};

std::uint32_t number_of(Effort effort) {
  return static_cast<std::uint32_t>(std::ranges::find(kEfforts, effort) - kEfforts.begin());
}

}  // namespace

WisdomKey wisdom_key(const Program& direct, std::uint32_t operands) {
  return {checksum(packed(without_places(direct))), operands};
}

std::vector<std::uint8_t> wisdom_bytes(const WisdomKey& key, const OrderedProgram& entry) {
  const std::vector<std::uint8_t> equations = packed(entry.equations);
  const std::vector<std::uint8_t> ordered = packed(entry.ordered);
  const std::size_t end = kHeaderBytes + equations.size() + ordered.size();
  std::vector<std::uint8_t> bytes(end + kChecksumBytes);
  std::ranges::copy(kMagic, bytes.begin());
  put(&bytes[kVersionAt], kVersion);
  put(&bytes[kBytesAt], static_cast<std::uint32_t>(end + kChecksumBytes));
  put(&bytes[kMapAt], key.map);
  put(&bytes[kOperandsAt], key.operands);
  put(&bytes[kEffortAt], number_of(entry.effort));
  put(&bytes[kEquationsAt], static_cast<std::uint32_t>(equations.size()));
  std::ranges::copy(ordered, std::ranges::copy(equations, &bytes[kHeaderBytes]).out);
  put(&bytes[end], checksum(std::span(bytes).first(end)));
  return bytes;
}

std::optional<WisdomRecord> first_record(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes || !std::ranges::equal(bytes.first(8), kMagic) ||
      get<std::uint32_t>(&bytes[kVersionAt]) != kVersion) {
    return std::nullopt;
  }
  const std::size_t size = get<std::uint32_t>(&bytes[kBytesAt]);
  const std::uint32_t effort = get<std::uint32_t>(&bytes[kEffortAt]);
  if (size < kHeaderBytes + kChecksumBytes || size > std::min(bytes.size(), kMostBytes) ||
      effort >= kEfforts.size()) {
    return std::nullopt;
  }
  return WisdomRecord{{get<std::uint64_t>(&bytes[kMapAt]), get<std::uint32_t>(&bytes[kOperandsAt])},
                      kEfforts[effort],
                      bytes.first(size)};
}

std::optional<OrderedProgram> entry_of(const WisdomRecord& record) try {
  const std::size_t end = record.bytes.size() - kChecksumBytes;
  if (checksum(record.bytes.first(end)) != get<std::uint64_t>(&record.bytes[end])) {
    return std::nullopt;
  }
  const std::span<const std::uint8_t> programs = record.bytes.first(end).subspan(kHeaderBytes);
  const std::size_t equations = get<std::uint32_t>(&record.bytes[kEquationsAt]);
  if (equations > programs.size()) return std::nullopt;
  constexpr auto kAnyCells = std::numeric_limits<std::uint32_t>::max();
  return OrderedProgram{unpacked(programs.first(equations), kAnyCells),
                        unpacked(programs.subspan(equations), kAnyCells), record.effort};
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace xorloom
