#include "runtime/store/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <system_error>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/files/cache_directory.hpp"
#include "runtime/files/cached_files.hpp"
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

namespace {

namespace fs = std::filesystem;

/// Ends of file names, by the operands of an XOR: 2, 3 and kFewXors. Programs for machine code (2
/// and 3) can be made again in seconds.
constexpr std::array<std::string_view, 3> kEnds = {"-2.wisdom", "-3.wisdom", "-0.wisdom"};

std::string_view end_of(const ProgramKey& key) {
  return key.operands == kFewXors ? kEnds[2] : kEnds.at(key.operands - 2);
}

/// Folders of the directory, by the first digit of file names; each is bounded separately.
constexpr std::size_t kFolders = 16;

/// The record in `bytes`, if they hold exactly one record and it has `key`.
std::optional<ProgramRecord> record_of_key(const std::vector<std::uint8_t>& bytes,
                                           const ProgramKey& key) {
  std::optional<ProgramRecord> record = first_record(bytes);
  if (record && record->bytes.size() == bytes.size() && record->key == key) return record;
  return std::nullopt;
}

}  // namespace

Store::Store(std::string_view place) : is_on_(place != kOff), is_users_(place == kUser) {
  if (!is_on_) return;
  directory_ = place;
  if (!is_users_) return;
  directory_ = user_cache_directory();
  if (!directory_.empty()) directory_ /= "wisdom";
}

fs::path Store::path_of(const ProgramKey& key) const {
  const std::string name = fmt::format("{:016x}{}", key.map, end_of(key));
  return directory_ / name.substr(0, 1) / name;
}

std::optional<OrderedProgram> Store::find(const ProgramKey& key, Effort least) const noexcept try {
  if (!is_on_) return std::nullopt;
  const std::optional<ProgramRecord> shipped = shipped_record(key);
  const std::vector<std::uint8_t> bytes = directory_.empty()
                                              ? std::vector<std::uint8_t>()
                                              : cached_bytes(path_of(key), kMostRecordBytes);
  const std::optional<ProgramRecord> own = record_of_key(bytes, key);
  if (own && !is_more(least, own->effort) && (!shipped || is_more(own->effort, shipped->effort))) {
    if (std::optional<OrderedProgram> program = machine_program_of(*own)) return program;
  }
  if (shipped && !is_more(least, shipped->effort)) return machine_program_of(*shipped);
  return std::nullopt;
} catch (...) {
  return std::nullopt;
}

std::optional<FewXors> Store::shipped_few_xors(const ProgramKey& key,
                                               const Field& field) const noexcept try {
  if (!is_on_) return std::nullopt;
  const std::optional<ProgramRecord> shipped = shipped_record(key);
  return shipped ? few_xors_of(*shipped, field) : std::nullopt;
} catch (...) {
  return std::nullopt;
}

std::optional<FewXors> Store::own_few_xors(const ProgramKey& key, const Field& field) const noexcept
    try {
  if (!is_on_ || directory_.empty()) return std::nullopt;
  const std::vector<std::uint8_t> bytes = cached_bytes(path_of(key), kMostRecordBytes);
  const std::optional<ProgramRecord> own = record_of_key(bytes, key);
  return own ? few_xors_of(*own, field) : std::nullopt;
} catch (...) {
  return std::nullopt;
}

void Store::keep(const ProgramKey& key, const OrderedProgram& program) const noexcept try {
  if (!is_on_ || directory_.empty()) return;
  const fs::path path = path_of(key);
  const std::vector<std::uint8_t> there = cached_bytes(path, kMostRecordBytes);
  const std::optional<ProgramRecord> record = record_of_key(there, key);
  if (record && !is_more(program.effort, record->effort) && machine_program_of(*record)) return;
  keep_cached(path, record_bytes(key, program), kEnds, kMostBytes / kFolders);
} catch (...) {  // not kept: the next plan is slower
  return;
}

bool Store::keep(const ProgramKey& key, const FewXors& equations) const noexcept try {
  if (!is_on_ || directory_.empty()) return false;
  const std::span<const std::string_view> ends(kEnds);
  return keep_cached(path_of(key), record_bytes(key, equations), is_users_ ? ends : ends.first(2),
                     kMostBytes / kFolders);
} catch (...) {
  return false;
}

void Store::forget(const ProgramKey& key) const noexcept try {
  std::error_code gone;
  if (is_on_ && !directory_.empty()) fs::remove(path_of(key), gone);
} catch (...) {
  return;
}

}  // namespace xorloom
