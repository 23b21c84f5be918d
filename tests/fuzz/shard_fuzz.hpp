#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/shards/shard_header.hpp"

// Inputs of the harness: a byte that says what the rest is, a byte of Mend flags, the rest.

namespace xorloom::test {

/// Kind of an input: its first byte modulo 7.
enum class Fuzzed : std::uint8_t {
  kHeader,
  kFile,
  kBlock,
  kName,
  kJournal,
  kProtection,
  kManifest
};

/// Parts of an input to mend before it is read. (With random checksums it would be refused at
/// once.)
enum Mend : std::uint8_t {
  kMendFrame = 1,    ///< magic numbers, version and lengths of headers and journals
  kMendNumbers = 2,  ///< the numbers in headers, so that they contradict each other less
  kMendText =
      4,  ///< the code spec: fills its header, padded with zeros, without control characters
  kMendChecksum = 8,  ///< checksums of headers and of the ends of journals
  kMendLast = 16,     ///< a file's last header, as the first
  kCopyFirst =
      32,  ///< the last header of a file is the first again, the file being as long as that says
  kMendBlocks = 64,  ///< the frames of a file's blocks, or a journal's
};

/// A header of a small set that inputs begin with.
ShardHeader seed_header(std::uint64_t file_bytes, const Pieces& pieces = {});

/// Whole inputs to begin with.
std::vector<std::vector<std::uint8_t>> shard_seeds();

}  // namespace xorloom::test

/// Reads an input and throws std::logic_error if what came of it does not hold together.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
