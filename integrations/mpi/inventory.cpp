#include "integrations/mpi/inventory.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <span>
#include <utility>

namespace xorloom::mpi {
namespace {

/// The part of the set ids that is common to all sets of one call of encode().
using CallId = std::array<std::uint8_t, 12>;

CallId call_of(const ShardHeader& header) {
  CallId id;
  std::copy_n(header.set.begin(), id.size(), id.begin());
  return id;
}

struct Call {
  std::uint64_t generation = 0;
  bool has_name = false;  ///< at least one shard has its name: all were written
  int ranks = 0;
  std::string spec;
};

struct Record {
  int holder;
  StoredShard shard;
};

std::vector<std::uint8_t> packed(const std::vector<StoredShard>& shards) {
  std::vector<std::uint8_t> bytes;
  for (const StoredShard& shard : shards) {
    const std::vector<std::uint8_t> text = header_text(shard.header);
    bytes.push_back(shard.is_pending ? 1 : 0);
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  return bytes;
}

std::vector<Record> unpacked(const std::vector<std::vector<std::uint8_t>>& all) {
  std::vector<Record> records;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    std::span<const std::uint8_t> rest(all[rank]);
    while (!rest.empty()) {
      const bool is_pending = rest[0] != 0;
      auto header = read_header(rest.subspan(1));
      if (!header) throw Error(Status::kInternal, "a header was damaged between ranks");
      rest = rest.subspan(1 + header->header_bytes());
      records.push_back({static_cast<int>(rank), {*std::move(header), is_pending}});
    }
  }
  return records;
}

/// The last of the completed calls; null if none was completed.
const std::pair<const CallId, Call>* last_of(const std::map<CallId, Call>& calls) {
  const std::pair<const CallId, Call>* last = nullptr;
  for (const auto& call : calls) {
    if (call.second.has_name &&
        (last == nullptr || call.second.generation > last->second.generation))
      last = &call;
  }
  return last;
}

void add(Inventory& inventory, const Record& record, int owner) {
  OwnedSet& set = inventory.sets[static_cast<std::size_t>(owner)];
  ShardHeader header = record.shard.header;
  const std::size_t location = std::exchange(header.location, 0);
  if (!set.header) {
    set.header = header;
    set.holders.assign(header.locations, kNobody);
  }
  if (*set.header != header) return;  // another's, with the same id: it is not used
  int& holder = set.holders[location];
  // Ranks that share a directory all see its shards. The rank that a shard was placed on by
  // rotation is the best of them to read it.
  const int ranks = static_cast<int>(inventory.sets.size());
  const auto placed = static_cast<int>((static_cast<std::size_t>(owner) + location) %
                                       static_cast<std::size_t>(ranks));
  if (holder == kNobody || record.holder == placed) holder = record.holder;
}

}  // namespace

std::vector<std::size_t> OwnedSet::missing() const {
  std::vector<std::size_t> locations;
  for (std::size_t i = 0; i < holders.size(); ++i) {
    if (holders[i] == kNobody) locations.push_back(i);
  }
  return locations;
}

Inventory take_inventory(const Communicator& comm, Store& store, const std::string& label) {
  std::vector<StoredShard> own;
  agree_on(comm, [&] { own = store.backend().list(label); });
  const std::vector<Record> records = unpacked(all_gather(comm, packed(own)));

  std::map<CallId, Call> calls;
  for (const Record& record : records) {
    const ShardHeader& header = record.shard.header;
    const auto name = set_name_of(header.name);
    const auto [place, is_new] = calls.try_emplace(call_of(header));
    Call& call = place->second;
    if (is_new) call = {header.generation, false, name->ranks, header.spec};
    call.has_name = call.has_name || !record.shard.is_pending;
  }
  const auto* const last = last_of(calls);
  if (last == nullptr) {
    throw Error(Status::kIo, "no rank has shards with the label '" + label + "'");
  }
  Inventory inventory;
  inventory.spec = last->second.spec;
  inventory.generation = last->second.generation;
  inventory.sets.resize(static_cast<std::size_t>(last->second.ranks));
  for (const Record& record : records) {
    const ShardHeader& header = record.shard.header;
    const auto name = set_name_of(header.name);
    if (call_of(header) != last->first || name->ranks != last->second.ranks ||
        header.spec != inventory.spec || header.generation != inventory.generation)
      continue;
    add(inventory, record, name->owner);
  }
  agree_on(comm, [&] {
    for (const StoredShard& shard : own) {
      if (shard.is_pending && call_of(shard.header) == last->first) store.backend().publish(shard);
    }
  });
  return inventory;
}

void check_against(const Inventory& inventory, const Codec& codec) {
  const Info info = codec.info();
  for (std::size_t owner = 0; owner < inventory.sets.size(); ++owner) {
    const auto& header = inventory.sets[owner].header;
    if (!header) continue;
    const auto block = static_cast<std::size_t>(header->block_bytes);
    const std::uint64_t rest = header->file_bytes % header->stripe_bytes;
    const std::uint64_t last = header->file_bytes == 0 ? 0
                               : rest == 0             ? header->block_bytes
                                                       : codec.chunk_bytes_for(rest);
    if (header->locations != info.locations || codec.data_bytes(block) != header->stripe_bytes ||
        header->last_block_bytes != last) {
      throw Error(Status::kDamaged, "the shards of the data of rank " + std::to_string(owner) +
                                        " do not agree with their code " + info.spec);
    }
  }
}

void drop_damaged(const Communicator& comm, Store& store, Inventory& inventory) {
  std::vector<std::uint8_t> bad;
  agree_on(comm, [&] {
    std::vector<std::uint8_t> block;
    for (std::size_t owner = 0; owner < inventory.sets.size(); ++owner) {
      const OwnedSet& set = inventory.sets[owner];
      for (std::size_t i = 0; i < set.holders.size(); ++i) {
        if (set.holders[i] != comm.rank()) continue;
        ShardHeader header = *set.header;
        header.location = static_cast<std::uint32_t>(i);
        const auto reader = store.backend().open(header);
        for (std::uint64_t b = 0; b < header.blocks(); ++b) {
          block.resize(kFrameBytes + header.payload_bytes(b));
          reader->read(header.block_offset(b), block);
          if (is_good(header, i, b, block.data(), std::span(block).subspan(kFrameBytes))) continue;
          const std::uint64_t pair[2] = {owner, i};
          const auto* const from = reinterpret_cast<const std::uint8_t*>(pair);
          bad.insert(bad.end(), from, from + sizeof pair);
          break;
        }
      }
    }
  });
  for (const auto& of_rank : all_gather(comm, bad)) {
    for (std::size_t at = 0; at < of_rank.size(); at += 16) {
      std::uint64_t pair[2];
      std::memcpy(pair, of_rank.data() + at, sizeof pair);
      inventory.sets[pair[0]].holders[pair[1]] = kNobody;
    }
  }
}

std::vector<bool> recoverable_sets(const Communicator& comm, const Inventory& inventory,
                                   const Codec& codec) {
  const std::size_t sets = inventory.sets.size();
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<std::uint8_t> own;
  agree_on(comm, [&] {
    std::map<std::vector<std::size_t>, bool> known;
    for (auto i = static_cast<std::size_t>(comm.rank()); i < sets; i += ranks) {
      const OwnedSet& set = inventory.sets[i];
      const std::vector<std::size_t> missing = set.missing();
      bool can = set.header.has_value();
      if (can && !missing.empty()) {
        const auto [place, is_new] = known.try_emplace(missing);
        if (is_new) place->second = can_lose(codec, missing);
        can = place->second;
      }
      own.push_back(can ? 1 : 0);
    }
  });
  const std::vector<std::vector<std::uint8_t>> all = all_gather(comm, own);
  std::vector<bool> recoverable;
  for (std::size_t i = 0; i < sets; ++i) recoverable.push_back(all[i % ranks][i / ranks] != 0);
  return recoverable;
}

void refuse_lost(const Inventory& inventory, const std::vector<bool>& recoverable) {
  const auto lost = static_cast<std::size_t>(std::ranges::count(recoverable, false));
  if (lost == 0) return;
  const auto owner =
      static_cast<std::size_t>(std::ranges::find(recoverable, false) - recoverable.begin());
  const OwnedSet& set = inventory.sets[owner];
  std::string sentence = "the data of rank " + std::to_string(owner) + " cannot be recovered: ";
  sentence += set.header ? std::to_string(set.missing().size()) + " of " +
                               std::to_string(set.holders.size()) + " chunks are gone"
                         : "all of its chunks are gone";
  if (lost == 2) sentence += "; nor can that of another rank";
  if (lost > 2) sentence += "; nor can that of " + std::to_string(lost - 1) + " other ranks";
  throw Error(Status::kDamaged, sentence);
}

}  // namespace xorloom::mpi
