#include "runtime/store/record.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'X', 'L', 'W', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t kMachineVersion = 2;
constexpr std::uint32_t kFewXorsVersion = 3;

// Offsets of the fields of the header, in bytes.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kBytesAt = 12;
constexpr std::size_t kMapAt = 16;
constexpr std::size_t kOperandsAt = 24;
constexpr std::size_t kEffortAt = 28;
constexpr std::size_t kEquationsAt = 32;
constexpr std::size_t kMachineHeaderBytes = 36;
// Fields that only version 3 has.
constexpr std::size_t kStepsAt = 36;
constexpr std::size_t kSecondsAt = 44;
constexpr std::size_t kSeedAt = 52;
constexpr std::size_t kFewXorsHeaderBytes = 60;

constexpr std::size_t kMostRecordBytes = std::size_t{1} << 24;
/// Stands before gates in what a key is made of; no number of cores is as large.
constexpr std::uint64_t kMarkOfGates = std::numeric_limits<std::uint64_t>::max();
constexpr auto kAnyCells = std::numeric_limits<std::uint32_t>::max();

/// Efforts by their numbers in a file.
constexpr std::array kEfforts = {Effort::kFast, Effort::kQuick, Effort::kNormal, Effort::kMax};
constexpr std::array kEffortNames = {"fast", "quick", "normal", "max"};

std::size_t header_bytes(const ProgramKey& key) {
  return key.operands == kFewXors ? kFewXorsHeaderBytes : kMachineHeaderBytes;
}

/// A record with its header and programs; the checksum and the fields of version 3 are still zero.
std::vector<std::uint8_t> record_of(const ProgramKey& key, std::size_t effort,
                                    const std::vector<std::uint8_t>& equations,
                                    const std::vector<std::uint8_t>& more) {
  const std::size_t begin = header_bytes(key);
  std::vector<std::uint8_t> bytes(begin + equations.size() + more.size() + kChecksumBytes);
  std::ranges::copy(kMagic, bytes.begin());
  put(&bytes[kVersionAt], key.operands == kFewXors ? kFewXorsVersion : kMachineVersion);
  put(&bytes[kBytesAt], static_cast<std::uint32_t>(bytes.size()));
  put(&bytes[kMapAt], key.map);
  put(&bytes[kOperandsAt], key.operands);
  put(&bytes[kEffortAt], static_cast<std::uint32_t>(effort));
  put(&bytes[kEquationsAt], static_cast<std::uint32_t>(equations.size()));
  std::ranges::copy(more, std::ranges::copy(equations, &bytes[begin]).out);
  return bytes;
}

void put_checksum(std::vector<std::uint8_t>& bytes) {
  const std::size_t end = bytes.size() - kChecksumBytes;
  put(&bytes[end], checksum(std::span(bytes).first(end)));
}

/// The equations of a record, and the bytes after them; nullopt if the checksum is wrong.
struct Parts {
  std::span<const std::uint8_t> equations;
  std::span<const std::uint8_t> more;
};
std::optional<Parts> parts_of(const ProgramRecord& record) {
  const std::size_t end = record.bytes.size() - kChecksumBytes;
  if (checksum(record.bytes.first(end)) != get<std::uint64_t>(&record.bytes[end])) {
    return std::nullopt;
  }
  const auto programs = record.bytes.first(end).subspan(header_bytes(record.key));
  const std::size_t equations = get<std::uint32_t>(&record.bytes[kEquationsAt]);
  if (equations > programs.size()) return std::nullopt;
  return Parts{programs.first(equations), programs.subspan(equations)};
}

/// Encodes a plan: the number of cores, then for each equation its core and 1 + its step (0, 0: no
/// step). Empty if there is no plan.
std::vector<std::uint8_t> plan_bytes(const FewXors& equations) {
  if (!equations.plan) return {};
  std::map<Element, const CoreStep*> step_of;
  for (const CoreStep& step : equations.plan->steps) step_of[step.target] = &step;
  std::vector<std::uint32_t> numbers{static_cast<std::uint32_t>(equations.plan->cores)};
  for (const Equation& equation : equations.program.equations) {
    const auto found = step_of.find(equation.target);
    const bool has_step = found != step_of.end();
    numbers.push_back(has_step ? static_cast<std::uint32_t>(found->second->core) : 0);
    numbers.push_back(has_step ? static_cast<std::uint32_t>(found->second->step) + 1 : 0);
  }
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof numbers[0]);
  for (std::size_t i = 0; i < numbers.size(); ++i) put(&bytes[i * sizeof numbers[0]], numbers[i]);
  return bytes;
}

/// Reads a plan of `program`; nullopt if there are no bytes. Errors: throws kDamaged if the bytes
/// are no plan of it.
std::optional<CoreSchedule> plan_of(std::span<const std::uint8_t> bytes, const Program& program) {
  if (bytes.empty()) return std::nullopt;
  constexpr std::size_t kNumber = sizeof(std::uint32_t);
  if (bytes.size() != kNumber * (1 + 2 * program.equations.size())) {
    fail(Status::kDamaged, "it has a plan of another program");
  }
  CoreSchedule plan{get<std::uint32_t>(&bytes[0]), {}};
  for (std::size_t e = 0; e < program.equations.size(); ++e) {
    const Equation& equation = program.equations[e];
    const std::uint32_t step = get<std::uint32_t>(&bytes[kNumber * (2 + 2 * e)]);
    if (step == 0) continue;
    if (equation.operands.size() != 2) fail(Status::kDamaged, "a step is no XOR of two");
    plan.steps.push_back({get<std::uint32_t>(&bytes[kNumber * (1 + 2 * e)]),
                          step - 1,
                          equation.target,
                          {equation.operands[0].element, equation.operands[1].element}});
  }
  sort_steps(plan);
  return plan;
}

}  // namespace

ProgramKey program_key(const Program& direct, std::uint32_t operands) {
  return {checksum(packed(without_places(direct))), operands};
}

std::optional<ProgramKey> few_xors_key(const Program& program, std::size_t cores,
                                       const std::optional<FewGates>& gates) {
  if (num_operands(program) > kMostKeyedOperands) return std::nullopt;
  std::vector<std::uint8_t> bytes =
      packed(without_places(program.is_xor() ? written_out(program) : program));
  const auto add = [&](std::uint64_t number) {
    bytes.resize(bytes.size() + sizeof number);
    put(&bytes[bytes.size() - sizeof number], number);
  };
  if (cores != 0) add(cores);
  if (gates) {
    add(kMarkOfGates);
    add(gates->levels);
    for (std::size_t n = 2; n <= gates->prices.most_inputs(); ++n) add(gates->prices.of_gate(n));
  }
  if (!program.is_xor()) {
    add(program.field.polynomial());
    for (const Field::Symbol symbol : program.field.basis()) add(symbol);
  }
  return ProgramKey{checksum(bytes), kFewXors};
}

std::optional<ProgramRecord> first_record(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kMachineHeaderBytes + kChecksumBytes ||
      !std::ranges::equal(bytes.first(8), kMagic)) {
    return std::nullopt;
  }
  const ProgramKey key{get<std::uint64_t>(&bytes[kMapAt]), get<std::uint32_t>(&bytes[kOperandsAt])};
  const std::uint32_t version = get<std::uint32_t>(&bytes[kVersionAt]);
  const std::size_t size = get<std::uint32_t>(&bytes[kBytesAt]);
  const std::uint32_t effort = get<std::uint32_t>(&bytes[kEffortAt]);
  if (version != (key.operands == kFewXors ? kFewXorsVersion : kMachineVersion) ||
      size < header_bytes(key) + kChecksumBytes ||
      size > std::min(bytes.size(), kMostRecordBytes) || effort >= kEfforts.size()) {
    return std::nullopt;
  }
  return ProgramRecord{key, kEfforts[effort], bytes.first(size)};
}

std::vector<std::uint8_t> record_bytes(const ProgramKey& key, const OrderedProgram& program) {
  const auto effort = std::ranges::find(kEfforts, program.effort) - kEfforts.begin();
  std::vector<std::uint8_t> bytes = record_of(key, static_cast<std::size_t>(effort),
                                              packed(program.equations), packed(*program.ordered));
  put_checksum(bytes);
  return bytes;
}

std::optional<OrderedProgram> machine_program_of(const ProgramRecord& record) try {
  const std::optional<Parts> parts = parts_of(record);
  if (!parts || record.key.operands == kFewXors) return std::nullopt;
  return OrderedProgram{unpacked(parts->equations, kAnyCells), unpacked(parts->more, kAnyCells),
                        record.effort};
} catch (const Error&) {
  return std::nullopt;
}

std::vector<std::uint8_t> record_bytes(const ProgramKey& key, const FewXors& equations) {
  const auto effort =
      std::ranges::find(kEffortNames, equations.search.effort) - kEffortNames.begin();
  std::vector<std::uint8_t> bytes = record_of(key, static_cast<std::size_t>(effort),
                                              packed(equations.program), plan_bytes(equations));
  put(&bytes[kStepsAt], std::uint64_t{equations.search.steps.value_or(0)});
  put(&bytes[kSecondsAt], std::uint64_t{equations.search.seconds.value_or(0)});
  put(&bytes[kSeedAt], std::uint64_t{equations.search.seed});
  put_checksum(bytes);
  return bytes;
}

std::optional<FewXors> few_xors_of(const ProgramRecord& record, const Field& field) try {
  const std::optional<Parts> parts = parts_of(record);
  if (!parts || record.key.operands != kFewXors) return std::nullopt;
  FewXors result{unpacked(parts->equations, kAnyCells, field), {}, {}};
  result.plan = plan_of(parts->more, result.program);
  const auto number = [&](std::size_t at) -> std::optional<std::size_t> {
    const std::uint64_t value = get<std::uint64_t>(&record.bytes[at]);
    return value == 0 ? std::nullopt : std::optional<std::size_t>(value);
  };
  const auto effort =
      static_cast<std::size_t>(std::ranges::find(kEfforts, record.effort) - kEfforts.begin());
  result.search = {kEffortNames[effort], number(kStepsAt), number(kSecondsAt),
                   number(kSeedAt).value_or(0)};
  return result;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace xorloom
