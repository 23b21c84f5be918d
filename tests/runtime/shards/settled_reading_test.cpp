#include "runtime/shards/settled_reading.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
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

/// Bytes that were read from a place of the file on.
struct Part {
  std::uint64_t begin;
  std::string bytes;
};

/// Results of the readers of all threads.
struct Readings {
  void add(std::string content) {
    const std::lock_guard lock(mutex);
    contents.insert(std::move(content));
  }
  void add(Part part) {
    const std::lock_guard lock(mutex);
    parts.push_back(std::move(part));
  }
  void add(std::uint64_t size) {
    const std::lock_guard lock(mutex);
    sizes.insert(size);
  }
  void refuse(const Error& error) {
    const std::lock_guard lock(mutex);
    refusals.insert(fmt::format("{}: {}", static_cast<int>(error.kind()), error.what()));
  }

  std::mutex mutex;
  std::set<std::string> contents;
  std::vector<Part> parts;
  std::set<std::uint64_t> sizes;  ///< file sizes that headers gave
  std::set<std::string> refusals;
  std::atomic<std::size_t> num_read = 0;
};

bool is_clean(const FoundShards& found, const OpenedSet& set, const SetDamage& damage) {
  bool is_clean = damage.bad_blocks.empty() && damage.lost_stripes.empty() &&
                  damage.suspect_stripes.empty() && set.missing().empty() && found.strays.empty();
  for (const ShardFile& shard : set.set().shards) is_clean &= shard.defects.empty();
  return is_clean;
}

/// Errors: throws kDamaged if that is not a fault that somebody made, of at most one shard.
void check_damage(const SetDamage& damage) {
  if (!damage.lost_stripes.empty()) fail(Status::kDamaged, "some of it is lost");
  if (!damage.suspect_stripes.empty()) fail(Status::kDamaged, "redundancy contradicts it");
  if (damage.wrong.most != 0) fail(Status::kDamaged, "redundancy says that a chunk is wrong");
}

/// Reads a range of the file, with zeros for what is lost if that is how it is read.
std::string decode_settled(ReadAttempt& attempt, const OpenedSet& set, const FileRange& range,
                           Lost lost) {
  std::string bytes;
  Progress progress;
  const SetDamage damage = decode_set(
      set, 1, [&](std::span<const std::uint8_t> read) { bytes += test::text_of(read); }, progress,
      range, lost);
  attempt.settle(is_clean(attempt.found(), set, damage));
  check_damage(damage);
  return bytes;
}

/// Reads the file as for a pipe, which cannot give back what went into it.
std::string decode_settled_to_pipe(ReadAttempt& attempt, const OpenedSet& set) {
  Progress progress;
  const SetDamage checked = check_set(set, 1, progress);
  attempt.settle(is_clean(attempt.found(), set, checked));
  check_damage(checked);
  std::string bytes;
  const SetDamage damage = decode_set(
      set, 1, [&](std::span<const std::uint8_t> read) { bytes += test::text_of(read); }, progress);
  if (!damage.lost_stripes.empty()) attempt.check_unchanged();
  check_damage(damage);
  return bytes;
}

void verify_settled(ReadAttempt& attempt, const OpenedSet& set, Depth depth) {
  Progress progress;
  const SetDamage damage = verify_set(set, 1, progress, depth);
  attempt.settle(is_clean(attempt.found(), set, damage));
  check_damage(damage);
}

constexpr std::size_t kNumWays = 8;

/// Reads a set in one of kNumWays ways. `draw` says which part.
void read_one_way(const std::vector<fs::path>& directories, std::size_t way, std::uint64_t draw,
                  Readings& readings) {
  read_settled(directories, [&](ReadAttempt& attempt) {
    const OpenedSet set(attempt.found(), {}, {});
    const std::uint64_t size = set.header().file_bytes;
    switch (way) {
      case 0:
        return verify_settled(attempt, set, Depth::kChecksums);
      case 1:
        return verify_settled(attempt, set, Depth::kRedundancy);
      case 2:
        return verify_settled(attempt, set, Depth::kFingerprints);
      case 3:
        attempt.settle(is_clean(attempt.found(), set, {}));
        return readings.add(size);
      case 4:
        return readings.add(decode_settled_to_pipe(attempt, set));
      case 5: {
        const std::uint64_t begin = size == 0 ? 0 : draw % size;
        const FileRange range{begin, std::min(size, begin + 1 + draw / 1024 % 100)};
        return readings.add(Part{begin, decode_settled(attempt, set, range, Lost::kStop)});
      }
      default:
        return readings.add(
            decode_settled(attempt, set, {}, way == 6 ? Lost::kStop : Lost::kZeros));
    }
  });
}

void change_or_repair(test::ChangeHistory& history) {
  switch (history.draw(7)) {
    case 0:
      return history.replace();
    case 1:
      return history.damage_and_repair();
    default:
      return history.change();
  }
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
    const auto read_on = [&](std::size_t turn) {
      std::mt19937_64 random(2 * seed + turn);
      for (; !is_over; ++turn, ++readings.num_read) {
        try {
          read_one_way(history.directories(), turn % kNumWays, random(), readings);
        } catch (const Error& error) {
          readings.refuse(error);
        }
      }
    };
    std::thread first(read_on, 0);
    std::thread second(read_on, 1);
    for (int i = 0; i < 30; ++i) {
      change_or_repair(history);
      versions.insert(history.content());
    }
    is_over = true;
    first.join();
    second.join();
  }
  const auto some_version = [&](const auto& holds) { return std::ranges::any_of(versions, holds); };
  for (const std::string& content : readings.contents) CHECK(versions.contains(content));
  for (const auto& part : readings.parts) {
    CHECK(some_version([&](const std::string& version) {
      return part.begin <= version.size() &&
             std::string_view(version).substr(part.begin).starts_with(part.bytes);
    }));
  }
  for (const std::uint64_t size : readings.sizes) {
    CHECK(some_version([&](const std::string& version) { return version.size() == size; }));
  }
  CHECK(readings.contents.size() > 10);
  CHECK(readings.parts.size() > 10);
  CHECK(readings.sizes.size() > 1);
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
