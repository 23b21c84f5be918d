#include "integrations/mpi/rebuilding.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "integrations/mpi/call.hpp"

namespace xorloom::mpi {

State state_of(const Inventory& inventory, const Codec& codec,
               const std::vector<bool>& recoverable) {
  State state;
  state.spec = inventory.spec;
  state.generation = inventory.generation;
  state.ranks = static_cast<int>(inventory.sets.size());
  for (const OwnedSet& of : inventory.sets) {
    SetState set;
    set.owner = static_cast<int>(state.sets.size());
    if (of.header) {
      set.bytes = of.header->file_bytes;
      set.permissions = of.header->permissions & 0777U;
      set.missing = of.missing();
      set.recoverable = recoverable[state.sets.size()];
    } else {
      for (std::size_t i = 0; i < codec.info().locations; ++i) set.missing.push_back(i);
    }
    state.sets.push_back(std::move(set));
  }
  return state;
}

bool State::is_whole() const noexcept {
  return std::ranges::all_of(sets, [](const SetState& set) { return set.missing.empty(); });
}

std::string State::text() const {
  std::string text;
  for (const SetState& set : sets) {
    if (set.missing.empty()) continue;
    text += "rank " + std::to_string(set.owner) + ": " +
            (set.missing.size() == 1 ? "chunk " : "chunks ");
    for (std::size_t i = 0; i < set.missing.size(); ++i) {
      text += (i == 0 ? "" : ", ") + std::to_string(set.missing[i]);
    }
    text += set.missing.size() == 1 ? " is gone" : " are gone";
    text += set.recoverable ? " and can be rebuilt\n" : " and cannot be rebuilt\n";
  }
  return text;
}

std::vector<BadShard> drop_bad(const Communicator& comm, const std::vector<BadShard>& own,
                               Inventory& inventory) {
  std::vector<std::uint8_t> bytes(own.size() * sizeof(BadShard));
  if (!own.empty()) std::memcpy(bytes.data(), own.data(), bytes.size());
  std::vector<BadShard> all;
  for (const auto& of_rank : all_gather(comm, bytes)) {
    for (std::size_t at = 0; at < of_rank.size(); at += sizeof(BadShard)) {
      std::array<std::size_t, 2> numbers{};
      std::memcpy(numbers.data(), of_rank.data() + at, sizeof numbers);
      all.emplace_back(numbers[0], numbers[1]);
      inventory.sets[numbers[0]].holders[numbers[1]] = kNobody;
    }
  }
  return all;
}

std::unique_ptr<ShardReader> Rebuilding::open(const OwnedSet& of, std::size_t location) {
  ShardHeader header = *of.header;
  header.location = static_cast<std::uint32_t>(location);
  return store_.backend().open(header);
}

void Rebuilding::write(ShardWriter& writer, const OwnedSet& of, std::size_t location,
                       std::uint64_t block, const std::uint8_t* chunk, std::size_t bytes) {
  std::array<std::uint8_t, kFrameBytes> frame{};
  write_frame(*of.header, location, block, {chunk, bytes}, frame.data());
  const Timer timer(exchange_.times().storing);
  writer.write(of.header->block_offset(block), frame);
  writer.write(of.header->block_offset(block) + kFrameBytes, {chunk, bytes});
}

bool Rebuilding::run(Inventory& inventory, RepairPlanner& planner,
                     const std::vector<RepairJob>& jobs) {
  agree_on(comm_, [&] {
    writers_.resize(jobs.size());
    int tag = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const RepairJob& job = jobs[i];
      const OwnedSet& of = inventory.sets[job.set];
      if (job.root == comm_.rank()) {
        ShardHeader header = *of.header;
        header.location = static_cast<std::uint32_t>(job.location);
        writers_[i] = store_.backend().create(header);
        current_ = writers_[i].get();
      }
      if (job.takes_part(comm_.rank(), of)) add_tasks(of, planner, job, tag);
      tag += static_cast<int>(job.streams);
    }
  });
  exchange_.run(tasks_);
  agree(comm_, exchange_.trouble());
  const std::vector<BadShard> bad = drop_bad(comm_, exchange_.bad(), inventory);
  keep(inventory, jobs, bad);
  return bad.empty();
}

void Rebuilding::add_tasks(const OwnedSet& of, RepairPlanner& planner, const RepairJob& job,
                           int tag) {
  const SetView view{&exchange_, job.set, slices_of(*of.header, options_),
                     options_.slices_in_flight};
  if (job.sends_chunks) {
    add_chunk_tasks(view, of, planner, job, tag);
  } else {
    add_sum_task(view, of, planner, job, tag);
  }
}

void Rebuilding::add_chunk_tasks(const SetView& view, const OwnedSet& of, RepairPlanner& planner,
                                 const RepairJob& job, int tag) {
  std::vector<NeededChunk> chunks;
  for (std::size_t i = 0; i < job.reads.size(); ++i) {
    const std::size_t location = job.reads[i];
    const int holder = of.holders[location];
    Units units(info_, job.units[i]);
    if (holder == job.root) {
      if (comm_.rank() == job.root)
        chunks.push_back({location, open(of, location), std::move(units)});
      continue;
    }
    if (holder == comm_.rank()) {
      tasks_.push_back(std::make_unique<SendChunk>(view, location, open(of, location),
                                                   std::move(units), job.root, tag));
    } else if (comm_.rank() == job.root) {
      chunks.push_back({location, nullptr, std::move(units), holder, tag});
    }
    ++tag;
  }
  if (comm_.rank() != job.root) return;
  ShardWriter& writer = *current_;
  tasks_.push_back(std::make_unique<GatherStripes>(
      view, planner.of_chunks(job, of), std::move(chunks), std::vector{job.location},
      [this, &writer, &of, location = job.location](std::uint64_t block, std::uint8_t* const* all,
                                                    std::size_t bytes) {
        write(writer, of, location, block, all[location], bytes);
      }));
}

void Rebuilding::add_sum_task(const SetView& view, const OwnedSet& of, RepairPlanner& planner,
                              const RepairJob& job, int tag) {
  std::vector<SumNode::Own> own;
  for (const std::size_t location : job.reads) {
    if (of.holders[location] == comm_.rank()) own.push_back({location, open(of, location)});
  }
  std::vector<SumNode::Child> children;
  int parent = comm_.rank();
  int own_tag = 0;
  for (std::size_t i = 0; i < job.helpers.size(); ++i) {
    const int helper_tag = tag + static_cast<int>(i);
    if (job.parents[i] == comm_.rank()) children.push_back({job.helpers[i], helper_tag});
    if (job.helpers[i] == comm_.rank()) {
      parent = job.parents[i];
      own_tag = helper_tag;
    }
  }
  std::optional<Plan> plan;
  if (!own.empty()) plan = planner.of_sum(job, of, comm_.rank());
  SumNode::Consume consume;
  if (comm_.rank() == job.root) {
    ShardWriter& writer = *current_;
    consume = [this, &writer, &of, location = job.location](
                  std::uint64_t block, std::uint8_t* chunk, std::size_t bytes) {
      write(writer, of, location, block, chunk, bytes);
    };
  }
  tasks_.push_back(std::make_unique<SumNode>(view, job.location, std::move(plan), std::move(own),
                                             std::move(children), parent, own_tag,
                                             std::move(consume)));
}

void Rebuilding::keep(Inventory& inventory, const std::vector<RepairJob>& jobs,
                      const std::vector<BadShard>& bad) {
  const Timer timer(exchange_.times().storing);
  const auto is_good = [&](const RepairJob& job) {
    return std::ranges::none_of(job.reads, [&](std::size_t location) {
      return std::ranges::find(bad, BadShard{job.set, location}) != bad.end();
    });
  };
  agree_on(comm_, [&] {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (!writers_[i] || !is_good(jobs[i])) continue;
      writers_[i]->finish(options_.sync);
      writers_[i]->publish();
    }
    if (options_.sync) store_.backend().sync();
  });
  for (const RepairJob& job : jobs) {
    if (is_good(job)) inventory.sets[job.set].holders[job.location] = job.root;
  }
}

}  // namespace xorloom::mpi
