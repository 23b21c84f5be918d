#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_header.hpp"
#include "runtime/shards/shard_name.hpp"
#include "tests/fuzz/journal_fuzz.hpp"
#include "tests/fuzz/protection_fuzz.hpp"
#include "tests/fuzz/shard_fuzz.hpp"

namespace xorloom::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& bytes, std::span<const std::uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

Bytes shard_of(const ShardHeader& header) {
  const Bytes text = header_text(header);
  Bytes shard = text;
  for (std::uint64_t block = 0; block < num_blocks(header); ++block) {
    const Bytes payload(payload_bytes(header, block), static_cast<std::uint8_t>(block));
    append(shard, block_frame(header, block, payload));
    append(shard, payload);
  }
  append(shard, text);
  return shard;
}

Bytes input(Fuzzed what, unsigned mend, std::span<const std::uint8_t> rest) {
  Bytes bytes(2 + rest.size());
  bytes[0] = static_cast<std::uint8_t>(what);
  bytes[1] = static_cast<std::uint8_t>(mend);
  std::ranges::copy(rest, bytes.begin() + 2);
  return bytes;
}

/// Adds a set's headers, files and blocks to the seeds.
void add_seeds(const ShardHeader& header, std::vector<Bytes>& seeds) {
  const Bytes text = header_text(header);
  const Bytes shard = shard_of(header);
  for (const unsigned mend : {0U, 8U, 9U, 15U}) {
    seeds.push_back(input(Fuzzed::kHeader, mend, text));
  }
  for (const unsigned mend : {0U, 15U, 31U, 47U, 127U}) {
    seeds.push_back(input(Fuzzed::kFile, mend, shard));
  }
  seeds.push_back(input(Fuzzed::kBlock, 0, shard));
}

}  // namespace

ShardHeader seed_header(std::uint64_t file_bytes, const Pieces& pieces) {
  ShardHeader header;
  for (std::size_t i = 0; i < SetId::kBytes; ++i)
    header.set.bytes[i] = static_cast<std::uint8_t>(i);
  header.generation = 3;
  header.location = 1;
  header.locations = 3;
  header.file_bytes = file_bytes;
  header.stripe_bytes = 64;
  header.block_bytes = 32;
  header.last_block_bytes = file_bytes == 0 ? 0 : 16;
  header.spec = "rs:k=2,m=1,w=8";
  header.pieces = pieces;
  if (file_bytes > 100) header.extra = Bytes(16, 7);
  return header;
}

std::vector<Bytes> shard_seeds() {
  std::vector<Bytes> seeds;
  for (const Pieces& pieces : {Pieces{}, Pieces{4, 0}, Pieces{2, 8}}) {
    for (const std::uint64_t file_bytes : {0U, 1U, 100U, 200U}) {
      add_seeds(seed_header(file_bytes, pieces), seeds);
    }
  }
  for (const Bytes& journal : journal_seeds()) {
    for (const unsigned mend : {0U, 8U, 9U, 73U}) {
      seeds.push_back(input(Fuzzed::kJournal, mend, journal));
    }
  }
  for (const Bytes& part : protection_seeds()) {
    for (const unsigned mend : {0U, 8U, 15U, 31U, 107U}) {
      seeds.push_back(input(Fuzzed::kProtection, mend, part));
    }
  }
  for (const Bytes& manifest : manifest_seeds()) {
    seeds.push_back(input(Fuzzed::kManifest, 0, manifest));
  }
  const std::string name = shard_name(seed_header(0).set, 7, 14);
  for (const std::string& text : {name, "." + name + ".xorloom-0123456789abcdef"}) {
    seeds.push_back(input(Fuzzed::kName, 0, Bytes(text.begin(), text.end())));
  }
  return seeds;
}

}  // namespace xorloom::test
