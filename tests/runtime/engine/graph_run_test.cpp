#include "runtime/engine/graph_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/plan_options.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/runtime/engine/graph_trial.hpp"
#include "tests/runtime/engine/stopped_threads.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/worked_example.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

void check_on_threads(const Code& code, GraphRun& run, std::size_t threads, std::size_t multiples,
                      std::size_t wanted_columns) {
  check_on_threads(code, run, threads, multiples, multiples % 2 * 13,
                   [&](std::uint8_t* const* chunks, std::size_t chunk_bytes) {
                     run.begin(chunks, chunk_bytes, wanted_columns, threads, Stores::kOrdinary);
                   });
}

TEST_CASE("any number of threads computes a graph of any number of cores") {
  const std::vector<std::size_t> numbers{1, 2, 3, 8};
  std::size_t turn = 0;
  for (const Isa isa : machine_isas()) {
    for (const std::string& spec : kGraphSpecs) {
      const Code code = make_code(spec);
      const Program program = encoding_program(code);
      for (const std::size_t cores : {1U, 2U, 3U, 6U, 1000U}) {
        const TaskGraph graph = graph_of(code, dealt_out(program, cores), isa);
        accept(code, encoding_map(code), graph);
        GraphRun run(graph);
        for (const std::size_t threads : test::one_by_turns(numbers, turn++)) {
          CAPTURE(spec);
          CAPTURE(to_string(isa));
          CAPTURE(cores);
          CAPTURE(threads);
          check_on_threads(code, run, threads, 1, 64);
          check_on_threads(code, run, threads, 17, 64);
          check_on_threads(code, run, threads, 40, 512);
        }
      }
    }
  }
}

TEST_CASE("two-input XORs of a plan run as they are planned") {
  const Code code = make_code("cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0");
  const Program program = chained(direct_encoding(code));
  for (const std::size_t cores : {1U, 2U, 6U, 64U}) {
    const CoreSchedule plan = schedule_on_cores(program, cores);
    const TaskGraph graph(code, parts_on_cores(program, plan, values_per_location(code)),
                          {.isa = choose_isa()});
    accept(code, encoding_map(code), graph);
    GraphRun run(graph);
    for (const std::size_t threads : {1U, 2U, 6U}) check_on_threads(code, run, threads, 33, 64);
  }
}

TEST_CASE("many calls come to an end, with more threads than cores and processors") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  const TaskGraph graph = graph_of(code, dealt_out(encoding_program(code), 3), choose_isa());
  GraphRun run(graph);
  for (int call = 0; call < 300; ++call) check_on_threads(code, run, 5, 9, 64);
}

TEST_CASE(
    "threads that stop between two blocks hold nobody up, and write nothing when they go on") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  const Program program = chained(direct_encoding(code));
  const CoreSchedule plan = schedule_on_cores(program, 6);
  const TaskGraph graph(code, parts_on_cores(program, plan, values_per_location(code)),
                        {.isa = choose_isa()});
  const std::size_t chunk_bytes = 20 * chunk_multiple(code);
  for (const std::size_t stopping : {1U, 2U, 5U}) {
    for (const std::size_t blocks : {1U, 2U, 9U}) {  // blocks that a thread runs before it stops
      CAPTURE(stopping);
      CAPTURE(blocks);
      GraphRun run(graph);
      std::vector<std::size_t> done(6);
      StoppedThreads stopped([&](std::size_t thread, std::uint32_t, bool has_run) {
        return thread != 0 && thread <= stopping && (done[thread] += has_run ? 1 : 0) >= blocks;
      });
      std::vector<std::thread> others;
      {
        Stripe stripe(code.locations, chunk_bytes, 5, 3);
        Stripe want = stripe;
        oracle(code, encoding_map(code), want.chunks(), chunk_bytes);
        run.begin(stripe.chunks(), chunk_bytes, 64, 6, Stores::kOrdinary);
        for (std::size_t t = 1; t < 6; ++t) {
          others.emplace_back([&run, t] { run.help(t); });
          if (t <= stopping) stopped.wait_for(t);
        }
        run.help(0);
        CHECK(stopped.count() == stopping);
        CHECK(stripe == want);
        CHECK(stripe.guards_intact());
      }  // the chunks are gone
      stopped.let_go();
      for (std::thread& other : others) other.join();
    }
  }
}

/// Counts the steps of threads of a run: an XOR is a step, and who is ahead waits for the others,
/// as cores that compute equally fast do. Who finds nothing to do waits for the next one that does.
class StepCount {
 public:
  /// The last `stopping` of the threads stop after their first block.
  StepCount(const TaskGraph& graph, std::size_t threads, std::size_t stopping)
      : graph_(graph), steps_(threads), running_(threads - stopping) {
    only = this;
    GraphRun::between_blocks = [](std::size_t thread, std::uint32_t group, bool has_run) noexcept {
      only->count(thread, group, has_run);
    };
  }
  StepCount(const StepCount&) = delete;
  StepCount& operator=(const StepCount&) = delete;
  ~StepCount() { GraphRun::between_blocks = nullptr; }

  /// A thread has left the run. When the last one that does not stop has left it, the others go on.
  void leave(std::size_t thread) {
    const std::scoped_lock lock(mutex_);
    most_ = std::max(most_, steps_[thread] == kGone ? 0 : steps_[thread]);
    steps_[thread] = kGone;
    if (thread < running_) is_over_ = ++left_ == running_;
    changed_.notify_all();
  }

  /// Steps of the thread that took most.
  std::size_t most() const { return most_; }

 private:
  static constexpr std::size_t kGone = SIZE_MAX;

  void count(std::size_t thread, std::uint32_t group, bool has_run) {
    std::unique_lock lock(mutex_);
    if (is_over_) return;
    if (has_run && thread >= running_) {
      steps_[thread] = kGone;
      changed_.notify_all();
      return changed_.wait(lock, [&] { return is_over_; });
    }
    const std::size_t now = std::exchange(steps_[thread], kGone);
    const std::size_t next = std::ranges::min(steps_);
    if (has_run) {
      steps_[thread] = now + graph_.groups()[group].computation->cost();
    } else {
      steps_[thread] = next == kGone ? now : std::max(now, next);
    }
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_over_ || std::ranges::min(steps_) == steps_[thread]; });
  }

  static inline StepCount* only = nullptr;
  const TaskGraph& graph_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> steps_;
  std::size_t running_;
  std::size_t left_ = 0;
  std::size_t most_ = 0;
  bool is_over_ = false;
};

TEST_CASE("a plan whose cores stop takes about as many steps as one for fewer cores") {
  const Code code = make_code(kWorkedExample);
  constexpr std::size_t kCores = 6;
  constexpr std::size_t kBlocks = 40;
  for (const bool is_direct : {true, false}) {
    CAPTURE(is_direct);
    const Program program = is_direct ? direct_encoding(code) : paper_iterative();
    const TaskGraph graph(
        code,
        parts_on_cores(program, schedule_on_cores(program, kCores), values_per_location(code)),
        {.isa = choose_isa()});
    std::size_t xors = 0;
    for (const TaskGraph::Group& group : graph.groups()) xors += group.computation->cost();
    const std::size_t chunk_bytes = kBlocks * graph.block_columns(1) * code.rows();
    for (const std::size_t stopping : {0U, 1U, 3U, 5U}) {
      Stripe stripe(code.locations, chunk_bytes, 5);
      Stripe want = stripe;
      oracle(code, encoding_map(code), want.chunks(), chunk_bytes);
      GraphRun run(graph);
      run.begin(stripe.chunks(), chunk_bytes, 1, kCores, Stores::kOrdinary);
      StepCount steps(graph, kCores, stopping);
      std::vector<std::thread> threads;
      for (std::size_t t = 0; t < kCores; ++t) {
        threads.emplace_back([&, t] {
          run.help(t);
          steps.leave(t);
        });
      }
      for (std::thread& thread : threads) thread.join();
      CHECK(stripe == want);
      const std::size_t left = kCores - stopping;
      const std::size_t model = makespan(schedule_on_cores(program, left)) * kBlocks;
      MESSAGE(left, " of ", kCores, " cores: ", steps.most(), " steps, by a plan for them ", model);
      CHECK(steps.most() * left >= xors * (kBlocks - 1));
      CHECK(steps.most() <= 2 * model);
    }
  }
}

TEST_CASE("a wrong group is not accepted") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  ProgramParts parts = parts_on_cores(dealt_out(direct_encoding(code), 2), 1);
  parts.parts[1] = parts.parts[0];
  const TaskGraph graph(code, parts, {.isa = choose_isa()});
  CHECK_THROWS_AS(accept(code, encoding_map(code), graph), Error);
}

TEST_CASE("runs that are given back are taken again") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  SpareRuns runs(graph_of(code, dealt_out(direct_encoding(code), 2), Isa::kPortable));
  std::unique_ptr<GraphRun> first = runs.take<GraphRun>();
  const std::unique_ptr<GraphRun> second = runs.take<GraphRun>();
  CHECK(first != second);
  const GraphRun* const was = first.get();
  runs.give_back(std::move(first));
  CHECK(runs.take<GraphRun>().get() == was);
}

}  // namespace
}  // namespace xorloom
