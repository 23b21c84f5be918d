#include <map>

#include "runtime/store/store.hpp"

// Bytes of the file, which the assembler includes in the library.
extern "C" {
extern const std::uint8_t kXorloomShippedPrograms[];
extern const std::uint8_t kXorloomShippedProgramsEnd[];
}
asm(R"(
.pushsection .rodata
.balign 16
.hidden kXorloomShippedPrograms
.globl kXorloomShippedPrograms
kXorloomShippedPrograms:
.incbin ")" XORLOOM_SHIPPED_PROGRAMS R"("
.hidden kXorloomShippedProgramsEnd
.globl kXorloomShippedProgramsEnd
kXorloomShippedProgramsEnd:
.popsection
)");

namespace xorloom {
namespace {

using Records = std::map<ProgramKey, ProgramRecord>;

Records all_records() {
  Records records;
  std::span<const std::uint8_t> left = shipped_records();
  while (const std::optional<ProgramRecord> record = first_record(left)) {
    records.emplace(record->key, *record);
    left = left.subspan(record->bytes.size());
  }
  return records;
}

}  // namespace

std::span<const std::uint8_t> shipped_records() {
  return {kXorloomShippedPrograms, kXorloomShippedProgramsEnd};
}

std::optional<ProgramRecord> shipped_record(const ProgramKey& key) {
  static const Records records = all_records();
  const auto found = records.find(key);
  if (found == records.end()) return std::nullopt;
  return found->second;
}

}  // namespace xorloom
