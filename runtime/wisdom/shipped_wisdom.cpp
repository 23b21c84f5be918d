#include <map>

#include "runtime/wisdom/wisdom.hpp"

// The file becomes bytes of the library.
extern "C" {
extern const std::uint8_t kXorloomShippedWisdom[];
extern const std::uint8_t kXorloomShippedWisdomEnd[];
}
asm(R"(
.pushsection .rodata
.balign 16
.hidden kXorloomShippedWisdom
.globl kXorloomShippedWisdom
kXorloomShippedWisdom:
.incbin ")" XORLOOM_SHIPPED_WISDOM R"("
.hidden kXorloomShippedWisdomEnd
.globl kXorloomShippedWisdomEnd
kXorloomShippedWisdomEnd:
.popsection
)");

namespace xorloom {
namespace {

using Records = std::map<WisdomKey, WisdomRecord>;

Records all_records() {
  Records records;
  std::span<const std::uint8_t> left = shipped_wisdom();
  while (const std::optional<WisdomRecord> record = first_record(left)) {
    records.emplace(record->key, *record);
    left = left.subspan(record->bytes.size());
  }
  return records;
}

}  // namespace

std::span<const std::uint8_t> shipped_wisdom() {
  return {kXorloomShippedWisdom, kXorloomShippedWisdomEnd};
}

std::optional<WisdomRecord> shipped_record(const WisdomKey& key) {
  static const Records records = all_records();
  const auto found = records.find(key);
  if (found == records.end()) return std::nullopt;
  return found->second;
}

}  // namespace xorloom
