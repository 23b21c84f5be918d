// What threads share, driven by std::thread alone: this program does not link TBB, whose packaged
// build a thread sanitizer cannot see into.

#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/column_blocks.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/task_graph.hpp"
#include "runtime/kernels/isa.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kThreads = 4;

void on_threads(std::size_t count, const auto& work) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

/// The dependency graph as the executor runs it, with a queue and std::thread in TBB's place: a few
/// instances, each with a block of its own, whose groups are run as their predecessors are done.
class MiniatureGraph {
 public:
  MiniatureGraph(const Computation& computation, const TaskGraph& tasks, ColumnBlocks& blocks,
                 const Stripe& stripe)
      : graph_(tasks), successors_(tasks.num_groups()), predecessors_(tasks.num_groups()) {
    for (const auto& [earlier, later] : tasks.edges) {
      successors_[earlier].push_back(later);
      ++predecessors_[later];
    }
    for (std::size_t i = 0; i < kThreads; ++i) {
      instances_.emplace_back(computation, tasks, blocks, stripe.chunks(), stripe.chunk_bytes());
    }
  }

  void run() {
    working_ = instances_.size();
    for (Instance& instance : instances_) start_next_block(instance);
    on_threads(kThreads, [this](std::size_t) { work(); });
  }

 private:
  struct Instance {
    Instance(const Computation& computation, const TaskGraph& tasks, ColumnBlocks& blocks,
             std::uint8_t* const* chunks, std::size_t chunk_bytes)
        : run(computation, tasks, blocks, chunks, chunk_bytes), waiting_for(tasks.num_groups()) {}
    GroupRun run;
    std::vector<std::atomic<std::size_t>> waiting_for;
    std::atomic<std::size_t> groups_left{0};
  };
  struct Task {
    Instance* instance;
    std::size_t group;
  };

  void start_next_block(Instance& instance) {
    if (!instance.run.take_block()) {
      const std::scoped_lock lock(mutex_);
      if (--working_ == 0) wake_.notify_all();
      return;
    }
    instance.groups_left = graph_.num_groups();
    for (std::size_t g = 0; g < graph_.num_groups(); ++g) {
      instance.waiting_for[g] = predecessors_[g];
    }
    for (std::size_t g = 0; g < graph_.num_groups(); ++g) {
      if (predecessors_[g] == 0) enqueue({&instance, g});
    }
  }

  void enqueue(Task task) {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(task);
    wake_.notify_one();
  }

  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty() || working_ == 0; });
      if (tasks_.empty()) return;
      const auto [instance, group] = tasks_.front();
      tasks_.pop_front();
      lock.unlock();
      instance->run.run_group(group);
      for (const std::uint32_t later : successors_[group]) {
        if (instance->waiting_for[later].fetch_sub(1, std::memory_order_acq_rel) == 1) {
          enqueue({instance, later});
        }
      }
      if (instance->groups_left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        start_next_block(*instance);
      }
    }
  }

  const TaskGraph& graph_;
  std::vector<std::vector<std::uint32_t>> successors_;
  std::vector<std::size_t> predecessors_;
  std::deque<Instance> instances_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  std::size_t working_ = 0;
};

struct Case {
  std::string name;
  Code code;
  std::unique_ptr<const Computation> computation;
};

std::vector<Case> cases(Isa isa) {
  std::vector<Case> result;
  const Code packets = make_code("cauchy:k=5,m=2,w=3");
  const Program direct = direct_encoding(packets);
  result.push_back({"direct equations", packets, make_computation(packets, direct, isa)});
  result.push_back({"chained equations", packets, make_computation(packets, chained(direct), isa)});
  for (const char* spec : {"rs:k=4,m=2,w=4", "rs:k=4,m=2,w=16", "isa-cauchy:k=4,m=3"}) {
    const Code words = make_code(spec);
    const Program rows = direct_symbols(words, encoding_map(words));
    result.push_back({spec, words, make_computation(words, rows, isa)});
  }
  return result;
}

struct Stripes {
  Stripe stripe;
  Stripe expected;
};

/// Chunks of about that many columns, and what the oracle makes of them.
Stripes stripes_of(const Code& code, std::size_t columns, std::uint64_t seed) {
  const std::size_t multiple = chunk_multiple(code);
  const bool is_packet = code.arrangement == Arrangement::kPacket;
  const std::size_t bytes = is_packet ? columns / code.packet_bytes * multiple : columns * multiple;
  Stripes result{Stripe(code.locations, bytes, seed, 5), Stripe(code.locations, bytes, seed, 5)};
  oracle(code, encoding_map(code), result.expected.chunks(), bytes);
  return result;
}

TEST_CASE("threads take the columns of one stripe block by block") {
  for (const Isa isa : machine_isas()) {
    for (const Case& c : cases(isa)) {
      CAPTURE(c.name);
      const Stripes s = stripes_of(c.code, 2000, 1);
      const std::size_t bytes = s.stripe.chunk_bytes();
      ColumnBlocks blocks(c.computation->columns(bytes),
                          block_columns(64, c.computation->column_multiple()));
      on_threads(kThreads, [&](std::size_t) {
        while (const std::optional<ColumnRange> block = blocks.take()) {
          c.computation->run(s.stripe.chunks(), bytes, block->begin, block->end);
        }
      });
      CHECK(s.stripe == s.expected);
      CHECK(s.stripe.guards_intact());
    }
  }
}

TEST_CASE("threads run the groups of a dependency graph over block after block") {
  for (const Isa isa : machine_isas()) {
    for (const Case& c : cases(isa)) {
      for (const TaskGraph& tasks :
           {group_each_step(*c.computation), group_for_cores(*c.computation, 3)}) {
        CAPTURE(c.name);
        CAPTURE(tasks.num_groups());
        const Stripes s = stripes_of(c.code, 2000, 2);
        ColumnBlocks blocks(c.computation->columns(s.stripe.chunk_bytes()),
                            block_columns(64, c.computation->column_multiple()));
        MiniatureGraph(*c.computation, tasks, blocks, s.stripe).run();
        CHECK(s.stripe == s.expected);
        CHECK(s.stripe.guards_intact());
      }
    }
  }
}

TEST_CASE("threads run one computation on stripes of their own") {
  for (const Case& c : cases(machine_isas().back())) {
    CAPTURE(c.name);
    std::vector<int> is_good(kThreads);
    on_threads(kThreads, [&](std::size_t i) {
      const Stripes s = stripes_of(c.code, 640, i);
      const std::size_t bytes = s.stripe.chunk_bytes();
      for (int round = 0; round < 3; ++round) {
        c.computation->run(s.stripe.chunks(), bytes, 0, c.computation->columns(bytes));
      }
      is_good[i] = s.stripe == s.expected ? 1 : 0;
    });
    CHECK(is_good == std::vector<int>(kThreads, 1));
  }
}

TEST_CASE("threads make codes, decode plans and choices of an instruction set at once") {
  std::vector<int> is_good(kThreads);
  on_threads(kThreads, [&](std::size_t i) {
    const Code code = make_code(i % 2 == 0 ? "cauchy-good:k=4,m=2,w=4" : "rs:k=4,m=2,w=8");
    const Isa isa = choose_isa();
    const Stripes s = stripes_of(code, 640, i);
    const std::size_t bytes = s.stripe.chunk_bytes();
    Stripe stripe = s.expected;
    const std::vector<std::size_t> lost = {i % code.locations, 5};
    for (const std::size_t location : lost) stripe.lose(location);
    const Program program = code.arrangement == Arrangement::kWord
                                ? direct_symbols(code, decoding_map(code, lost))
                                : direct_decoding(code, lost);
    const auto computation = make_computation(code, program, isa);
    computation->run(stripe.chunks(), bytes, 0, computation->columns(bytes));
    is_good[i] = stripe == s.expected ? 1 : 0;
  });
  CHECK(is_good == std::vector<int>(kThreads, 1));
}

}  // namespace
}  // namespace xorloom
