#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "integrations/mpi/agreement.hpp"
#include "integrations/mpi/call.hpp"
#include "integrations/mpi/encode_tasks.hpp"
#include "integrations/mpi/placement.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {
namespace {

/// Takes what is written to it, and forgets it.
class Nowhere : public ShardWriter {
 public:
  void write(std::uint64_t, std::span<const std::uint8_t>) override {}
  void finish(bool) override {}
  void publish() override {}
};

/// Seconds of one round of some parts, the longest of all ranks.
double seconds(const Communicator& comm, const Codec& codec, const ShardHeader& header,
               const Placement& placement, std::span<const std::uint8_t> data,
               const Options& options, Parts parts, Times& times) {
  Nowhere nowhere;
  Exchange exchange(comm, times);
  std::vector<std::unique_ptr<Task>> tasks;
  agree_on(comm, [&] {
    const std::size_t n = codec.info().locations;
    std::vector<int> ranks(n);
    std::vector<ShardWriter*> writers(n);
    for (std::size_t i = 0; i < n; ++i) {
      ranks[i] = placement.rank_of(comm.rank(), i);
      if (ranks[i] == comm.rank()) writers[i] = &nowhere;
    }
    const Slices slices = slices_of(header, options);
    tasks.push_back(std::make_unique<EncodeSet>(exchange, codec, header, slices,
                                                options.slices_in_flight, data, std::move(ranks),
                                                std::move(writers), parts));
    for (int owner = 0; parts != Parts::kCoding && owner < comm.size(); ++owner) {
      for (std::size_t i = 0; owner != comm.rank() && i < n; ++i) {
        if (placement.rank_of(owner, i) != comm.rank()) continue;
        tasks.push_back(std::make_unique<StoreShard>(exchange, slices, options.slices_in_flight,
                                                     owner, static_cast<int>(i), nowhere));
      }
    }
  });
  MPI_Barrier(comm.get());
  const double start = MPI_Wtime();
  exchange.run(tasks);
  // Ranks that share a core do not begin together, so the end is that of the last.
  MPI_Barrier(comm.get());
  const double own = MPI_Wtime() - start;
  agree(comm, exchange.trouble());
  double longest = 0;
  MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, comm.get());
  return longest;
}

}  // namespace

Outcome measure(MPI_Comm of, std::size_t bytes, std::string_view spec, int rounds, Phases& phases,
                const Options& options) {
  return collective(of, [&](const Communicator& comm, Times& times) {
    check_options(comm, options, spec);
    agree_on_same(comm, std::to_string(bytes) + " bytes in " + std::to_string(rounds) + " rounds",
                  "size to measure");
    if (bytes == 0 || rounds < 1)
      throw Error(Status::kInvalidArgument, "bytes and rounds must be at least 1");
    const Codec codec = codec_of(comm, std::string(spec), options);
    const std::vector<int> domains = domains_of(comm, options);
    std::optional<Placement> placement;
    ShardHeader header;
    std::vector<std::uint8_t> data;
    agree_on(comm, [&] {
      placement.emplace(domains, codec.info().locations);
      const std::size_t block =
          options.block_bytes == 0 ? std::size_t{64} << 10 : options.block_bytes;
      header = header_of(codec, {}, 1, bytes, block, {options.label, comm.rank(), comm.size()});
      data.resize(bytes);
      for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::uint8_t>(i * 167 >> 3);
    });
    const auto best = [&](Parts parts) {
      double least = std::numeric_limits<double>::infinity();
      // The first round is for caches and connections.
      for (int round = 0; round <= rounds; ++round) {
        const double taken = seconds(comm, codec, header, *placement, data, options, parts, times);
        if (round != 0) least = std::min(least, taken);
      }
      return least;
    };
    phases.coding = best(Parts::kCoding);
    phases.exchange = best(Parts::kExchange);
    phases.both = best(Parts::kAll);
    const Slices slices = slices_of(header, options);
    std::uint64_t remote = 0;
    for (std::size_t i = 0; i < codec.info().locations; ++i)
      remote += placement->rank_of(comm.rank(), i) == comm.rank() ? 0U : 1U;
    std::uint64_t own[2] = {0, remote * slices.count()};
    for (std::uint64_t slice = 0; slice < slices.count(); ++slice)
      own[0] += remote * slices.framed_bytes(slice);
    std::uint64_t most[2] = {};
    MPI_Allreduce(own, most, 2, MPI_UINT64_T, MPI_MAX, comm.get());
    phases.bytes = most[0];
    phases.messages = most[1];
  });
}

}  // namespace xorloom::mpi
