// Sets that change while a disk loses writes: what was written once is old again later.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "tests/runtime/sets/change_history.hpp"
#include "tests/support/sample.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::ChangeHistory;
using test::content_of;
using test::SetFiles;

/// A part of a shard that is lost with one write.
enum class Part {
  kBlock,
  kFrame,
  kFirstHeader,
  kTail,
  kAllBlocks,
  kShard,
  kRot,  ///< no old bytes: one byte is another
  kDirectory,
  kFromNow,
};
constexpr std::size_t kParts = 9;

/// Puts a part of a shard back to what it was; false if that changes nothing.
bool put_back_part(const fs::path& path, const std::string& old, Part part,
                   ChangeHistory& history) {
  test::ShardImage image(path);
  const ShardHeader& header = image.header;
  if (num_blocks(header) == 0 && part < Part::kFirstHeader) return false;
  std::size_t begin = 0;
  std::size_t end = image.bytes.size();
  if (part == Part::kBlock || part == Part::kFrame) {
    const std::uint64_t block = history.draw(num_blocks(header) - 1);
    begin = block_offset(header, block);
    end = begin + frame_bytes(header);
    if (part == Part::kBlock) end += payload_bytes(header, block);
  } else if (part == Part::kFirstHeader) {
    end = header_bytes(header);
  } else if (part == Part::kTail) {
    begin = lineage_offset(header);
  } else if (part == Part::kAllBlocks) {
    begin = header_bytes(header);
    end = lineage_offset(header);
  }
  if (part == Part::kRot) {
    char& byte = image.bytes[history.draw(end - 1)];
    byte = static_cast<char>(byte ^ 1);
    image.save();
    return true;
  }
  if (begin >= old.size()) return false;
  const std::string before = image.bytes;
  image.bytes.replace(begin, end - begin, old.substr(begin, end - begin));
  image.save();
  return image.bytes != before;
}

/// Whether a look without --deep sees that something is wrong.
bool is_noticed(const std::vector<fs::path>& directories) {
  const test::ReadableSet set(directories);
  const SetDamage damage = set.verify();
  const auto has_defects = [](const ShardFile& shard) { return !shard.defects.empty(); };
  const auto is_of_set = [&](const StrayFile& stray) {
    return !stray.header || stray.header->set == set.opened.header().set;
  };
  const auto is_stale = [&](const ShardSet& other) {
    const ShardHeader& header = set.opened.header();
    return &other != &set.opened.set() && other.header.set == header.set &&
           other.header.spec == header.spec;
  };
  return !damage.bad_blocks.empty() || std::ranges::any_of(set.found.sets, is_stale) ||
         !set.opened.missing().empty() ||
         std::ranges::any_of(set.opened.set().shards, has_defects) ||
         std::ranges::any_of(set.found.strays, is_of_set);
}

/// Runs one history, with writes lost in `num_losses` directories.
void run_history(std::uint64_t seed, std::size_t num_losses) {
  CAPTURE(seed);
  ChangeHistory history(seed);
  std::string log;
  const auto change = [&] {
    history.change();
    log += history.last() + " ";
  };
  for (std::size_t i = history.draw(3); i > 0; --i) change();
  if (history.draw(2) == 0) {  // a shard is in two directories
    const fs::path& to = history.directories()[history.draw(2)];
    const std::vector<std::string> names = test::names_in(history.directories()[history.draw(2)]);
    for (const fs::path& from : history.directories()) {
      const fs::path path = from / names[history.draw(names.size() - 1)];
      if (from != to && fs::exists(path) && !fs::exists(to / path.filename())) {
        fs::copy(path, to / path.filename());
        log += "copy, ";
      }
    }
  }
  std::vector<fs::path> hit = history.directories();
  std::ranges::shuffle(hit, history.random());
  hit.resize(num_losses);
  const SetFiles before = test::files_in(history.directories());
  change();
  bool is_changed = false;
  std::vector<fs::path> deaf;  // directories that keep nothing from now on
  for (const fs::path& directory : hit) {
    const auto part = static_cast<Part>(history.draw(kParts - 1));
    log += fmt::format("part {} of {}, ", static_cast<int>(part), directory.filename().string());
    if (part == Part::kFromNow) deaf.push_back(directory);
    if (part == Part::kFromNow || part == Part::kDirectory) {
      is_changed |= test::files_in({directory}) != [&] {
        SetFiles own;
        for (const auto& each : before) {
          if (each.first.parent_path() == directory) own.insert(each);
        }
        return own;
      }();
      test::put_back(directory, before);
      continue;
    }
    const std::vector<std::string> names = test::names_in(directory);
    const fs::path path = directory / names[history.draw(names.size() - 1)];
    const auto old = before.find(path);
    if (old != before.end()) is_changed |= put_back_part(path, old->second, part, history);
  }
  CAPTURE(log);
  if (num_losses == 1) {
    CHECK(content_of(history.directories()) == history.content());
    if (is_changed) CHECK(is_noticed(history.directories()));
  }
  const std::size_t more = history.draw(3);
  try {
    for (std::size_t i = 0; i < more; ++i) {
      const SetFiles now = test::files_in(deaf);
      change();
      for (const fs::path& directory : deaf) test::put_back(directory, now);
      INFO(log);
      if (num_losses == 1) REQUIRE(content_of(history.directories()) == history.content());
    }
  } catch (const Error& error) {
    INFO(log);
    INFO(error.what());
    REQUIRE(num_losses != 1);
    return;  // too much is lost to go on
  }
  INFO(log);
  const auto content = content_of(history.directories());
  if (content) CHECK(*content == history.content());
  if (num_losses != 1) return;
  CHECK(content);
  test::repair(history.directories());
  CHECK(content_of(history.directories()) == history.content());
  if (deaf.empty()) CHECK(!is_noticed(history.directories()));
}

std::vector<std::uint64_t> seeds() {
  std::vector<std::uint64_t> all(10'000);
  std::iota(all.begin(), all.end(), std::uint64_t{1});
  return test::sample_unless_whole(all, 150);
}

}  // namespace

TEST_CASE("Writes that are lost in one directory cost no byte, and are noticed without --deep") {
  for (const std::uint64_t seed : seeds()) run_history(seed, 1);
}

TEST_CASE("Writes that are lost in several directories may cost bytes, and never give wrong ones") {
  for (const std::uint64_t seed : seeds()) run_history(seed, 2);
}

TEST_CASE("A stripe that lost too many of its writes is lost, and an old one that lost all") {
  ChangeHistory history(5);              // rs:k=4,m=2
  history.patch(history.directories());  // from now on blocks have stamps
  const SetFiles before = test::files_in(history.directories());
  const std::string old = history.content();
  history.patch(history.directories());
  REQUIRE(history.content() != old);
  REQUIRE(before.size() == 6);
  std::size_t num_old = 0;
  for (const auto& [path, bytes] : before) {
    test::ShardImage image(path);
    const std::size_t begin = header_bytes(image.header);
    const std::size_t end = lineage_offset(image.header);
    image.bytes.replace(begin, end - begin, bytes, begin, end - begin);
    image.save();
    ++num_old;
    CAPTURE(num_old);
    const SetDamage damage = test::ReadableSet(history.directories()).verify();
    CHECK(damage.bad_blocks.empty() == (num_old == 6));
    CHECK(damage.lost_stripes.empty() == (num_old <= 2 || num_old == 6));
    if (num_old <= 2) CHECK(content_of(history.directories()) == history.content());
    if (num_old == 6) CHECK(content_of(history.directories()) == old);
  }
}

}  // namespace xorloom
