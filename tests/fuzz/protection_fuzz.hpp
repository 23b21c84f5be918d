#pragma once

#include <cstdint>
#include <vector>

namespace xorloom::test {

/// Reads some bytes as a protection file, once what the flags say is put right: kMendFrame,
/// kMendNumbers and kMendChecksum in the header, kMendLast in the last one, too. With kCopyFirst
/// the file gets the length that its header states, and with kMendBlocks its pages and blocks are
/// made good. Throws std::logic_error if what came of it does not hold together.
void fuzz_protection(std::vector<std::uint8_t> bytes, unsigned mend);

/// Does as fuzz_protection() with the text of a manifest.
void fuzz_manifest(const std::vector<std::uint8_t>& bytes);

/// Whole protection files to begin with, and whole manifests.
std::vector<std::vector<std::uint8_t>> protection_seeds();
std::vector<std::vector<std::uint8_t>> manifest_seeds();

}  // namespace xorloom::test
