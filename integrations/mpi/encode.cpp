#include <algorithm>
#include <memory>
#include <random>
#include <utility>

#include "integrations/mpi/agreement.hpp"
#include "integrations/mpi/call.hpp"
#include "integrations/mpi/encode_tasks.hpp"
#include "integrations/mpi/placement.hpp"
#include "integrations/mpi/store.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {
namespace {

constexpr std::size_t kDefaultBlockBytes = std::size_t{64} << 10;

/// Twelve random bytes, the same on all ranks, and the owner.
SetId draw_call_id(const Communicator& comm) {
  SetId id{};
  if (comm.rank() == 0) {
    std::random_device random;
    std::generate_n(id.begin(), 12, [&] { return static_cast<std::uint8_t>(random()); });
  }
  MPI_Bcast(id.data(), static_cast<int>(id.size()), MPI_BYTE, 0, comm.get());
  return id;
}

SetId set_id_of(SetId call, int owner) {
  for (std::size_t i = 0; i < 4; ++i)
    call[12 + i] = static_cast<std::uint8_t>(static_cast<unsigned>(owner) >> (24 - 8 * i));
  return call;
}

/// A shard that this rank will hold.
struct Incoming {
  int owner;
  ShardHeader header;
  std::unique_ptr<ShardWriter> writer;
};

class Encoding {
 public:
  Encoding(const Communicator& comm, Store& store, const Options& options, const Codec& codec,
           Times& times)
      : comm_(comm), store_(store), options_(options), codec_(codec), times_(times) {}

  void run(std::span<const std::uint8_t> data) {
    agree_on(comm_, [&] {
      store_.backend().remove_leftovers();
      before_ = store_.backend().list(options_.label);
    });
    std::uint64_t highest = 0;
    for (const StoredShard& shard : before_) highest = std::max(highest, shard.header.generation);
    std::uint64_t generation = 0;
    MPI_Allreduce(&highest, &generation, 1, MPI_UINT64_T, MPI_MAX, comm_.get());
    prepare(data.size(), generation + 1);
    exchange(data);
    keep();
  }

 private:
  void prepare(std::size_t bytes, std::uint64_t generation) {
    const std::vector<int> domains = domains_of(comm_, options_);
    const SetId call = draw_call_id(comm_);
    const std::vector<std::uint64_t> sizes = all_gather(comm_, bytes);
    const std::vector<std::uint64_t> permissions = all_gather(comm_, options_.permissions);
    agree_on(comm_, [&] {
      placement_ = std::make_unique<Placement>(domains, codec_.info().locations);
      const std::size_t block =
          options_.block_bytes == 0 ? kDefaultBlockBytes : options_.block_bytes;
      for (int owner = 0; owner < comm_.size(); ++owner) {
        const auto header_of_owner = [&] {
          const auto of = static_cast<std::size_t>(owner);
          return header_of(codec_, set_id_of(call, owner), generation, sizes[of], block,
                           {options_.label, owner, comm_.size()},
                           static_cast<std::uint32_t>(permissions[of]));
        };
        if (owner == comm_.rank()) own_ = header_of_owner();
        for (std::size_t i = 0; i < codec_.info().locations; ++i) {
          if (placement_->rank_of(owner, i) != comm_.rank()) continue;
          Incoming incoming{owner, header_of_owner(), nullptr};
          incoming.header.location = static_cast<std::uint32_t>(i);
          incoming.writer = store_.backend().create(incoming.header);
          incoming_.push_back(std::move(incoming));
        }
      }
    });
  }

  void exchange(std::span<const std::uint8_t> data) {
    Exchange exchange(comm_, times_);
    std::vector<std::unique_ptr<Task>> tasks;
    agree_on(comm_, [&] {
      std::vector<int> ranks(codec_.info().locations);
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        ranks[i] = placement_->rank_of(comm_.rank(), i);
      }
      std::vector<ShardWriter*> writers(ranks.size());
      for (Incoming& incoming : incoming_) {
        if (incoming.owner == comm_.rank())
          writers[incoming.header.location] = incoming.writer.get();
      }
      tasks.push_back(std::make_unique<EncodeSet>(exchange, codec_, own_, slices_of(own_, options_),
                                                  options_.slices_in_flight, data, std::move(ranks),
                                                  std::move(writers)));
      for (Incoming& incoming : incoming_) {
        if (incoming.owner == comm_.rank()) continue;
        tasks.push_back(std::make_unique<StoreShard>(
            exchange, slices_of(incoming.header, options_), options_.slices_in_flight,
            incoming.owner, static_cast<int>(incoming.header.location), *incoming.writer));
      }
    });
    exchange.run(tasks);
    agree(comm_, exchange.trouble());
  }

  /// Replaces the old shards. All new shards are on disk before the first one has its name, and all
  /// have their names before the old shards are removed.
  void keep() {
    const Timer timer(times_.storing);
    Store::Backend& backend = store_.backend();
    agree_on(comm_, [&] {
      for (Incoming& incoming : incoming_) incoming.writer->finish(options_.sync);
      if (options_.sync) backend.sync();
    });
    const Trouble trouble = attempt([&] {
      for (Incoming& incoming : incoming_) incoming.writer->publish();
      if (options_.sync) backend.sync();
    });
    try {
      agree(comm_, trouble);
    } catch (...) {
      // The old shards still count.
      (void)attempt([&] {
        for (Incoming& incoming : incoming_) backend.remove({incoming.header, false});
      });
      throw;
    }
    agree_on(comm_, [&] {
      for (const StoredShard& shard : before_) backend.remove(shard);
      if (options_.sync) backend.sync();
    });
  }

  const Communicator& comm_;
  Store& store_;
  const Options& options_;
  const Codec& codec_;
  Times& times_;
  std::vector<StoredShard> before_;
  std::unique_ptr<Placement> placement_;
  ShardHeader own_;
  std::vector<Incoming> incoming_;
};

}  // namespace

Outcome encode(MPI_Comm of, const void* buffer, std::size_t bytes, std::string_view spec,
               Store& store, const Options& options) {
  return collective(of, [&](const Communicator& comm, Times& times) {
    agree_on(comm, [&] {
      if (buffer == nullptr && bytes != 0) {
        throw Error(Status::kInvalidArgument, "the buffer of rank " + std::to_string(comm.rank()) +
                                                  " is null and has " + std::to_string(bytes) +
                                                  " bytes");
      }
    });
    check_options(comm, options, spec);
    const Codec codec = codec_of(comm, std::string(spec), options);
    Encoding(comm, store, options, codec, times)
        .run({static_cast<const std::uint8_t*>(buffer), bytes});
  });
}

Outcome survives(MPI_Comm of, std::string_view spec, Survival& survival, const Options& options) {
  return collective(of, [&](const Communicator& comm, Times&) {
    check_options(comm, options, spec);
    const Codec codec = codec_of(comm, std::string(spec), options);
    const std::vector<int> domains = domains_of(comm, options);
    agree_on(comm,
             [&] { survival = survival_of(codec, Placement(domains, codec.info().locations)); });
  });
}

}  // namespace xorloom::mpi
