#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "integrations/mpi/agreement.hpp"
#include "integrations/mpi/call.hpp"
#include "integrations/mpi/inventory.hpp"
#include "integrations/mpi/rebuilding.hpp"
#include "integrations/mpi/repair_tasks.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {
namespace {

/// Parts of its set that a rank needs to have its data.
struct Need {
  std::vector<std::size_t> reads;
  std::vector<std::size_t> outputs;  ///< data that is decoded on the way
  std::optional<Plan> plan;
};

class Decoding {
 public:
  Decoding(const Communicator& comm, Store& store, const Options& options, const Codec& codec,
           Times& times)
      : comm_(comm),
        store_(store),
        options_(options),
        codec_(codec),
        info_(codec.info()),
        holds_data_(codec.encoding().reads()),
        times_(times) {
    for (std::uint32_t u = 0; u < info_.units; ++u) all_units_.push_back(u);
  }

  /// Whether all shards that were read are good; if not, the inventory has lost the bad ones.
  bool run(Inventory& inventory, std::span<std::uint8_t> data) {
    // Each owner chooses what it reads, and tells the holders.
    Need need;
    std::vector<std::uint8_t> reads(info_.locations);
    agree_on(comm_, [&] {
      need = need_of(inventory.sets[static_cast<std::size_t>(comm_.rank())]);
      for (const std::size_t read : need.reads) reads[read] = 1;
    });
    const std::vector<std::vector<std::uint8_t>> all_reads = all_gather(comm_, reads);
    Exchange exchange(comm_, times_);
    std::vector<std::unique_ptr<Task>> tasks;
    agree_on(comm_, [&] {
      for (std::size_t set = 0; set < inventory.sets.size(); ++set) {
        if (static_cast<int>(set) == comm_.rank()) {
          add_gathering(exchange, inventory.sets[set], need, data, tasks);
        } else {
          add_sending(exchange, inventory, set, all_reads[set], tasks);
        }
      }
    });
    exchange.run(tasks);
    agree(comm_, exchange.trouble());
    return drop_bad(comm_, exchange.bad(), inventory).empty();
  }

 private:
  Need need_of(const OwnedSet& of) const {
    Need need;
    std::ranges::copy_if(holds_data_, std::back_inserter(need.reads),
                         [&](std::size_t i) { return of.holders[i] != kNobody; });
    std::ranges::copy_if(holds_data_, std::back_inserter(need.outputs),
                         [&](std::size_t i) { return of.holders[i] == kNobody; });
    if (need.outputs.empty()) return need;
    Repair repair;
    repair.erased = of.missing();
    repair.wanted = need.outputs;
    repair.at_hand = need.reads;
    repair.whole_chunks = true;
    need.plan = codec_.repair(repair);
    std::vector<std::size_t> reads;
    std::ranges::set_union(need.reads, need.plan->reads(), std::back_inserter(reads));
    need.reads = std::move(reads);
    return need;
  }

  std::unique_ptr<ShardReader> open(const OwnedSet& of, std::size_t location) {
    ShardHeader header = *of.header;
    header.location = static_cast<std::uint32_t>(location);
    return store_.backend().open(header);
  }

  SetView view_of(Exchange& exchange, const OwnedSet& of, std::size_t set) const {
    return {&exchange, set, slices_of(*of.header, options_), options_.slices_in_flight};
  }

  void add_sending(Exchange& exchange, const Inventory& inventory, std::size_t set,
                   const std::vector<std::uint8_t>& reads,
                   std::vector<std::unique_ptr<Task>>& tasks) {
    const OwnedSet& of = inventory.sets[set];
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (reads[i] == 0 || of.holders[i] != comm_.rank()) continue;
      tasks.push_back(std::make_unique<SendChunk>(view_of(exchange, of, set), i, open(of, i),
                                                  Units(info_, all_units_), static_cast<int>(set),
                                                  static_cast<int>(i)));
    }
  }

  void add_gathering(Exchange& exchange, const OwnedSet& of, const Need& need,
                     std::span<std::uint8_t> data, std::vector<std::unique_ptr<Task>>& tasks) {
    std::vector<NeededChunk> chunks;
    for (const std::size_t location : need.reads) {
      const int holder = of.holders[location];
      chunks.push_back({location, holder == comm_.rank() ? open(of, location) : nullptr,
                        Units(info_, all_units_), holder, static_cast<int>(location)});
    }
    const ShardHeader& header = *of.header;
    tasks.push_back(std::make_unique<GatherStripes>(
        view_of(exchange, of, static_cast<std::size_t>(comm_.rank())), need.plan, std::move(chunks),
        need.outputs,
        [this, data, &header](std::uint64_t stripe, std::uint8_t* const* all, std::size_t bytes) {
          const Timer timer(times_.coding);
          const Status status =
              codec_.collect(all, bytes,
                             data.subspan(static_cast<std::size_t>(stripe * header.stripe_bytes),
                                          header.stripe_file_bytes(stripe)));
          if (status != Status::kOk) throw Error(status, last_error());
        }));
  }

  const Communicator& comm_;
  Store& store_;
  const Options& options_;
  const Codec& codec_;
  Info info_;
  std::vector<std::size_t> holds_data_;
  std::vector<std::uint32_t> all_units_;
  Times& times_;
};

void check_sizes(const Communicator& comm, const Inventory& inventory, const void* buffer,
                 std::size_t bytes) {
  const auto ranks = static_cast<int>(inventory.sets.size());
  if (ranks != comm.size()) {
    throw Error(Status::kInvalidArgument, "the data is that of " + std::to_string(ranks) +
                                              " ranks, and " + std::to_string(comm.size()) +
                                              (comm.size() == 1 ? " rank asks" : " ranks ask") +
                                              " for it");
  }
  agree_on(comm, [&] {
    const auto& header = inventory.sets[static_cast<std::size_t>(comm.rank())].header;
    if (!header || header->file_bytes == bytes) {
      if (buffer != nullptr || bytes == 0) return;
    }
    throw Error(Status::kInvalidArgument,
                "the data of rank " + std::to_string(comm.rank()) + " has " +
                    std::to_string(header ? header->file_bytes : 0) + " bytes, and its buffer " +
                    std::to_string(buffer == nullptr ? 0 : bytes));
  });
}

}  // namespace

Outcome decode(MPI_Comm of, void* buffer, std::size_t bytes, Store& store, const Options& options) {
  return collective(of, [&](const Communicator& comm, Times& times) {
    check_options(comm, options, "");
    Inventory inventory = take_inventory(comm, store, options.label);
    const Codec codec = codec_of(comm, inventory.spec, options);
    check_against(inventory, codec);
    for (;;) {
      refuse_lost(inventory, recoverable_sets(comm, inventory, codec));
      check_sizes(comm, inventory, buffer, bytes);
      if (Decoding(comm, store, options, codec, times)
              .run(inventory, {static_cast<std::uint8_t*>(buffer), bytes}))
        return;
    }
  });
}

}  // namespace xorloom::mpi
