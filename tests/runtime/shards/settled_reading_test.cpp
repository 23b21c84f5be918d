#include "runtime/shards/settled_reading.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/files/pending_file.hpp"
#include "tests/runtime/sets/change_history.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/sample.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// What readers have come to, from all threads.
struct Readings {
  void add(std::string content) {
    const std::lock_guard lock(mutex);
    contents.insert(std::move(content));
  }
  void refuse(const Error& error) {
    const std::lock_guard lock(mutex);
    refusals.insert(fmt::format("{}: {}", static_cast<int>(error.kind()), error.what()));
  }

  std::mutex mutex;
  std::set<std::string> contents;
  std::set<std::string> refusals;
  std::atomic<std::size_t> num_read = 0;
};

bool is_clean(const FoundShards& found, const OpenedSet& set, const SetDamage& damage) {
  bool is_clean = damage.bad_blocks.empty() && damage.lost_stripes.empty() &&
                  set.missing().empty() && found.strays.empty();
  for (const ShardFile& shard : set.set().shards) is_clean &= shard.defects.empty();
  return is_clean;
}

/// Reads the whole file, with zeros for what is lost if that is how it is read.
std::string read_all(const std::vector<fs::path>& directories, Lost lost) {
  std::string content;
  read_settled(directories, [&](ReadAttempt& attempt) {
    content.clear();
    const OpenedSet set(attempt.found(), {}, {});
    Progress progress;
    const SetDamage damage = decode_set(
        set, 1, [&](std::span<const std::uint8_t> bytes) { content += test::text_of(bytes); },
        progress, {}, lost);
    attempt.settle(is_clean(attempt.found(), set, damage));
    if (!damage.lost_stripes.empty()) fail(Status::kDamaged, "some of it is lost");
  });
  return content;
}

void verify_all(const std::vector<fs::path>& directories) {
  read_settled(directories, [&](ReadAttempt& attempt) {
    const OpenedSet set(attempt.found(), {}, {});
    Progress progress;
    const SetDamage damage = verify_set(set, 1, progress);
    attempt.settle(is_clean(attempt.found(), set, damage));
    if (!damage.lost_stripes.empty()) fail(Status::kDamaged, "some of it is lost");
  });
}

}  // namespace

TEST_CASE("Readers beside a writer see one version, or are told that the set is being changed") {
  const std::size_t most = test::sample_unless_whole(std::vector<std::size_t>(10'000), 400).size();
  std::set<std::string> versions;
  Readings readings;
  // On a busy machine few reads are between two changes.
  const auto is_enough = [&] { return readings.num_read >= most && readings.contents.size() > 10; };
  for (std::uint64_t seed = 1; !is_enough() && seed < 500; ++seed) {
    test::ChangeHistory history(seed);
    versions.insert(history.content());
    std::atomic<bool> is_over = false;
    const auto read = [&](std::size_t turn) {
      for (; !is_over; ++turn, ++readings.num_read) {
        try {
          if (turn % 3 == 0) {
            verify_all(history.directories());
          } else {
            readings.add(
                read_all(history.directories(), turn % 3 == 1 ? Lost::kStop : Lost::kZeros));
          }
        } catch (const Error& error) {
          readings.refuse(error);
        }
      }
    };
    std::thread first(read, 0);
    std::thread second(read, 1);
    for (int i = 0; i < 30; ++i) {
      history.change();
      versions.insert(history.content());
    }
    is_over = true;
    first.join();
    second.join();
  }
  for (const std::string& content : readings.contents) CHECK(versions.contains(content));
  CHECK(readings.contents.size() > 10);
  for (const std::string& refusal : readings.refusals) {
    CAPTURE(refusal);
    CHECK(refusal.starts_with(fmt::format("{}: ", static_cast<int>(Status::kIo))));
    CHECK(refusal.ends_with("is being changed; try again"));
  }
}

TEST_CASE("A set that is damaged, and that nobody changes, is read once") {
  const test::SetScene scene(1000);
  scene.damage(0, {1});
  scene.damage(1, {1});
  scene.damage(2, {1});
  int times = 0;
  const test::Thrown thrown = test::thrown_by([&] {
    read_settled(std::vector{scene.d}, [&](ReadAttempt& attempt) {
      ++times;
      attempt.settle(false);
      fail(Status::kDamaged, "it is lost");
    });
  });
  CHECK(thrown.says("it is lost"));
  CHECK(times == 1);
}

TEST_CASE("A set that changes while it is read is read again, and given up in the end") {
  test::ChangeHistory history(1);
  int times = 0;
  read_settled(history.directories(), [&](ReadAttempt& attempt) {
    if (++times < 3) {
      history.patch(history.directories());
      fail(Status::kDamaged, "it is lost");
    }
    CHECK(attempt.found().sets.size() == 1);
    attempt.settle(false);
  });
  CHECK(times == 3);
  const auto is_over = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const test::Thrown thrown = test::thrown_by([&] {
    read_settled(history.directories(), [&](ReadAttempt& attempt) {
      REQUIRE(std::chrono::steady_clock::now() < is_over);
      history.patch(history.directories());
      attempt.settle(false);
    });
  });
  CHECK(thrown.kind == Status::kIo);
  CHECK(thrown.says("is being changed; try again"));
}

TEST_CASE("A change that was interrupted is read, however long a try takes") {
  SKIP_WITHOUT_FAILING_CALLS();
  test::ChangeHistory history(1);
  // The journals of a patch stay. They get the hidden names that they have at first.
  test::answer_of_process([&] {
    if (!test::begin_failing(test::kNoUnlink)) return 1;
    history.patch(history.directories());
    return 0;
  });
  std::size_t journals = 0;
  for (const fs::path& directory : history.directories()) {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      if (entry.path().extension() != ".journal") continue;
      const std::string name = entry.path().filename().string();
      fs::rename(entry.path(),
                 directory / fmt::format(".{}{}0123456789abcdef", name, kHiddenSuffix));
      ++journals;
    }
  }
  REQUIRE(journals > 0);
  int tries = 0;
  read_settled(history.directories(), [&](ReadAttempt& attempt) {
    if (++tries == 7) std::this_thread::sleep_for(std::chrono::milliseconds(5500));
    attempt.settle(false);
  });
  CHECK(tries > 7);
}

}  // namespace xorloom
