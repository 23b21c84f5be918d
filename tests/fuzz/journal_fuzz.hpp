#pragma once

#include <cstdint>
#include <vector>

namespace xorloom::test {

/// Reads some bytes as the journal of a change in place, once what the flags say is put right:
/// kMendFrame, kMendChecksum and kMendBlocks. Throws std::logic_error if what came of it does not
/// hold together.
void fuzz_journal(std::vector<std::uint8_t> bytes, unsigned mend);

/// Whole journals to begin with, of changes that keep, lengthen and shorten the file.
std::vector<std::vector<std::uint8_t>> journal_seeds();

}  // namespace xorloom::test
