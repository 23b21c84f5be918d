#include "runtime/files/pipeline.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/machine/threads.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

/// Counts what a pipeline does with items 0, 1, … in its slots.
class Recorder {
 public:
  Recorder(std::size_t num_items, std::size_t num_slots)
      : num_items_(num_items), items_(num_slots), is_taken_(num_slots) {}

  PipelineStages stages() {
    return {[this](std::size_t slot) { return begin(slot); },
            [this](std::size_t slot) { work(slot); }, [this](std::size_t slot) { end(slot); }};
  }

  void run(std::size_t threads) { run_pipeline(threads, items_.size(), stages()); }

  std::vector<std::size_t> begun;
  std::vector<std::size_t> ended;
  std::atomic<std::size_t> worked{0};
  std::atomic<std::size_t> faults{
      0};  ///< a slot used twice at once, stages at once that must not be
  std::size_t calls_after_the_last = 0;

 private:
  bool begin(std::size_t slot) {
    const Alone alone(*this, is_beginning_);
    if (is_over_) ++calls_after_the_last;
    if (begun.size() == num_items_) {
      is_over_ = true;
      return false;
    }
    if (slot >= items_.size() || is_taken_[slot].exchange(true)) ++faults;
    items_[slot] = begun.size();
    begun.push_back(items_[slot]);
    return true;
  }
  void work(std::size_t slot) {
    if (!is_taken_[slot]) ++faults;
    // Later items are done sooner, so that order is not kept by chance.
    if (items_[slot] % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    ++worked;
  }
  void end(std::size_t slot) {
    const Alone alone(*this, is_ending_);
    ended.push_back(items_[slot]);
    if (!is_taken_[slot].exchange(false)) ++faults;
  }

  /// Counts a fault if two are in one place at once.
  class Alone {
   public:
    Alone(Recorder& recorder, std::atomic<bool>& flag) : flag_(flag) {
      if (flag_.exchange(true)) ++recorder.faults;
    }
    ~Alone() { flag_ = false; }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    std::atomic<bool>& flag_;
  };

  std::size_t num_items_;
  std::vector<std::size_t> items_;
  std::vector<std::atomic<bool>> is_taken_;
  std::atomic<bool> is_beginning_{false};
  std::atomic<bool> is_ending_{false};
  bool is_over_ = false;
};

/// The payloads of all blocks of a set, shard by shard.
std::vector<std::string> payloads(const std::filesystem::path& directory,
                                  const ShardHeader& header) {
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < header.locations; ++i) {
    const test::ShardImage image(test::shard_path(directory, header, i));
    for (std::uint64_t b = 0; b < num_blocks(header); ++b) {
      all.push_back(image.block(b).substr(kFrameBytes));
    }
  }
  return all;
}

enum class Stage { kBegin, kWork, kEnd };

/// The item whose stage threw comes out as a number, or none. Counts the stages that are still
/// running then.
int thrown_item(std::size_t threads, Stage stage, int item, int* still_running) {
  std::atomic<int> running{0};
  std::atomic<int> begun{0};
  std::vector<int> items(4);
  const auto pass = [&](Stage current, int number) {
    ++running;
    if (current == Stage::kWork) std::this_thread::sleep_for(std::chrono::microseconds(100));
    --running;
    if (current == stage && number == item) throw number;
  };
  try {
    run_pipeline(threads, 4,
                 {[&](std::size_t slot) {
                    items[slot] = begun++;
                    pass(Stage::kBegin, items[slot]);
                    return items[slot] < 40;
                  },
                  [&](std::size_t slot) { pass(Stage::kWork, items[slot]); },
                  [&](std::size_t slot) { pass(Stage::kEnd, items[slot]); }});
  } catch (int number) {
    *still_running = running;
    return number;
  }
  return -1;
}

}  // namespace

TEST_CASE(
    "Items begin and end in order, each goes through every stage, no slot is used twice at once") {
  for (const std::size_t threads : {0U, 1U, 2U, 3U, 4U, 8U}) {
    for (const std::size_t num_slots : {1U, 2U, 3U, 6U}) {
      for (const std::size_t num_items : {0U, 1U, 2U, 6U, 7U, 8U, 63U}) {
        Recorder recorder(num_items, num_slots);
        recorder.run(threads);
        std::vector<std::size_t> all(num_items);
        for (std::size_t i = 0; i < num_items; ++i) all[i] = i;
        CAPTURE(threads);
        CAPTURE(num_slots);
        CAPTURE(num_items);
        CHECK(recorder.begun == all);
        CHECK(recorder.ended == all);
        CHECK(recorder.worked == num_items);
        CHECK(recorder.faults == 0);
        CHECK(recorder.calls_after_the_last == 0);
      }
    }
  }
}

TEST_CASE("Items are worked on at once where there are threads and slots") {
  if (usable_threads(2) < 2) return;
  // Each waits for another one: one thread would wait in vain.
  std::atomic<int> waiting{0};
  std::atomic<bool> met{false};
  int begun = 0;
  run_pipeline(2, 4,
               {[&](std::size_t) { return begun++ < 4; },
                [&](std::size_t) {
                  ++waiting;
                  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
                  while (waiting < 2 && std::chrono::steady_clock::now() < limit) {
                    std::this_thread::yield();
                  }
                  if (waiting >= 2) met = true;
                },
                [](std::size_t) {}});
  CHECK(met);
}

TEST_CASE("On one thread all happens on the calling thread in one slot") {
  const std::thread::id here = std::this_thread::get_id();
  int begun = 0;
  bool is_here = true;
  const auto check = [&](std::size_t slot) {
    is_here &= slot == 0 && std::this_thread::get_id() == here;
  };
  run_pipeline(1, 5,
               {[&](std::size_t slot) {
                  check(slot);
                  return begun++ < 10;
                },
                check, check});
  CHECK(is_here);
  CHECK(begun == 11);
}

TEST_CASE("What a stage throws comes out when all has come to rest") {
  for (const std::size_t threads : {1U, 2U, 4U}) {
    for (const Stage stage : {Stage::kBegin, Stage::kWork, Stage::kEnd}) {
      for (const int item : {0, 1, 3, 4, 39}) {
        int still_running = -1;
        CAPTURE(threads);
        CAPTURE(static_cast<int>(stage));
        CHECK(thrown_item(threads, stage, item, &still_running) == item);
        CHECK(still_running == 0);
      }
    }
  }
}

TEST_CASE("A pipeline runs after another one has thrown, and inside a stage of another") {
  int still_running = 0;
  for (int round = 0; round < 20; ++round) thrown_item(4, Stage::kWork, round, &still_running);
  Recorder after(20, 3);
  after.run(4);
  CHECK(after.faults == 0);
  CHECK(after.ended.size() == 20);

  std::atomic<std::size_t> ended{0};
  int begun = 0;
  run_pipeline(4, 4,
               {[&](std::size_t) { return begun++ < 8; },
                [&](std::size_t) {
                  Recorder inner(10, 2);
                  inner.run(4);
                  ended += inner.faults == 0 ? inner.ended.size() : 0;
                },
                [](std::size_t) {}});
  CHECK(ended == 80);
}

TEST_CASE("On auto a stripe is coded by one thread, on others by all") {
  Options options;
  options.threads = 4;
  CHECK(pipeline_threads(options) == 4);
  CHECK(codec_options(options).threads == 1);
  options.threads = 0;
  CHECK(pipeline_threads(options) == 0);
  CHECK(codec_options(options).threads == 1);
  for (const Executor executor : {Executor::kGraph, Executor::kPlan, Executor::kRanges}) {
    options.executor = executor;
    options.threads = 4;
    CHECK(pipeline_threads(options) == 1);
    CHECK(codec_options(options).threads == 4);
    CHECK(codec_options(options).executor == executor);
  }
}

TEST_CASE("Slots suffice for the threads and stay within the bound, but for one") {
  CHECK(slots_for(1, 100, 1000) == 3);
  CHECK(slots_for(1, 100, 300) == 3);
  CHECK(slots_for(1, 100, 299) == 2);
  CHECK(slots_for(1, 100, 100) == 1);
  CHECK(slots_for(1, 100, 99) == 1);
  CHECK(slots_for(1, 0, 0) == 1);
  CHECK(slots_for(1, 0, 1000) == 3);
  CHECK(slots_for(4, 1, 1000) == usable_threads(4) + 2);
}

TEST_CASE("Threads and executors change no byte of a block") {
  const std::string content = test::random_text(10000, 9);
  for (const char* const spec : {"rs:k=4,m=2", "cauchy-good:k=4,m=2,w=3,packet_bytes=8"}) {
    std::vector<std::string> first;
    for (const Executor executor :
         {Executor::kAuto, Executor::kGraph, Executor::kPlan, Executor::kRanges}) {
      for (const int threads : {1, 2, 4, 0}) {
        const TemporaryFolder folder;
        test::EncodeCall call{.spec = spec, .block_bytes = 48};
        call.options.threads = threads;
        call.options.executor = executor;
        const ShardHeader header = test::encode(folder.path(), content, call).header;
        const std::vector<std::string> blocks = payloads(folder.path(), header);
        if (first.empty()) first = blocks;
        CAPTURE(spec);
        CAPTURE(to_string(executor));
        CAPTURE(threads);
        CHECK(blocks == first);
        CHECK(folder.names() == test::shard_names(header));
      }
    }
  }
}

TEST_CASE("Threads and executors change no byte of what is rebuilt") {
  struct Case {
    const char* spec;
    std::vector<std::uint32_t> lost;
  };
  const std::vector<Case> cases = {
      {"cauchy-good:k=10,m=4,w=4,packet_bytes=8", {0, 3, 9, 12}},
      {"rs:k=4,m=2", {2, 5}},
      {"rs:k=5,m=1", {4}},
      {"rs:k=1,m=1", {0}},
  };
  for (const Case& c : cases) {
    for (const Executor executor :
         {Executor::kAuto, Executor::kGraph, Executor::kPlan, Executor::kRanges}) {
      for (const int threads : {1, 2, 4}) {
        const test::SetScene scene(3333, {.spec = c.spec, .block_bytes = 32});
        for (const std::uint32_t location : c.lost) scene.lose(location);
        Options options;
        options.threads = threads;
        options.executor = executor;
        CAPTURE(c.spec);
        CAPTURE(to_string(executor));
        CAPTURE(threads);
        CHECK(test::repair({scene.d}, {}, options).rebuilt.size() == c.lost.size());
        CHECK(scene.is_whole());
      }
    }
  }
}

}  // namespace xorloom
