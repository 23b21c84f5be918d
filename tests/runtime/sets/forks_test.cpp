// Sets that are changed in several places apart from each other.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "tests/runtime/sets/change_history.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::SetFiles;

/// A change, and the one that it followed on.
struct Change {
  std::size_t before;
  std::string content;
  std::string name;  ///< ID@GENERATION
};

/// Set of the directories that are present, one bit each.
using Present = std::size_t;
constexpr std::size_t kDirectories = 3;

struct State {
  SetFiles files;
  std::vector<Change> changes;
  std::array<std::size_t, kDirectories> heads{};  ///< the change that each directory knows last

  bool came_before(std::size_t earlier, std::size_t later) const {
    while (later > earlier) later = changes[later].before;
    return later == earlier;
  }

  /// The heads of the `present` directories that precede no other such head.
  std::set<std::size_t> latest(Present present) const {
    std::set<std::size_t> all;
    for (std::size_t d = 0; d < kDirectories; ++d) {
      if ((present >> d & 1) != 0) all.insert(heads[d]);
    }
    std::set<std::size_t> latest;
    for (const std::size_t one : all) {
      bool is_latest = true;
      for (const std::size_t other : all) {
        if (other != one && came_before(one, other)) is_latest = false;
      }
      if (is_latest) latest.insert(one);
    }
    return latest;
  }
};

/// Every one of the directories suffices to recover the file.
class Forks {
 public:
  Forks() {
    for (const char* const name : {"a", "b", "c"}) directories_.push_back(folder_ / name);
    const std::string content = test::random_text(300, 1);
    Progress progress;
    encode_set({.read = test::reader_of(content),
                .directories = directories_,
                .code = make_code("rs:k=2,m=4"),
                .options = {},
                .block_bytes = 16},
               progress);
    first_.changes.push_back({0, content, name_in(directories_)});
    first_.files = test::files_in(directories_);
  }

  /// Tries all changes that may come next, and those after them.
  void try_all(std::size_t depth) { try_from(first_, depth); }
  std::size_t num_refused() const { return num_refused_; }

 private:
  static std::string name_in(const std::vector<fs::path>& directories) {
    const FoundShards found = find_shards(directories);
    const ShardHeader& header = found.sets.front().header;
    return to_string(header.set) + "@" + generation_text(header);
  }

  std::vector<fs::path> those(Present present) const {
    std::vector<fs::path> some;
    for (std::size_t d = 0; d < kDirectories; ++d) {
      if ((present >> d & 1) != 0) some.push_back(directories_[d]);
    }
    return some;
  }

  void restore(const State& state) const {
    for (const fs::path& directory : directories_) test::put_back(directory, state.files);
  }

  void try_from(const State& state, std::size_t depth) {
    check(state);
    if (depth == 0) return;
    std::vector<Present> all(7);
    std::iota(all.begin(), all.end(), Present{1});
    const bool is_deep = state.changes.size() > 2;
    for (const Present present : is_deep ? test::one_by_turns(all, turn_++) : all) {
      State next = state;
      restore(state);
      try_change(next, present);
      try_from(next, depth - 1);
    }
  }

  void try_change(State& state, Present present) {
    const std::set<std::size_t> latest = state.latest(present);
    const std::size_t at = state.changes.size() * 7;
    const std::string bytes = fmt::format("change {}", state.changes.size());
    const auto patch = [&] {
      Progress progress;
      patch_set({.directories = those(present), .set_digits = {}, .options = {}, .bounds = {}}, at,
                test::reader_of(bytes), progress);
    };
    if (latest.size() > 1) {
      ++num_refused_;
      CHECK(test::thrown_by(patch).says("choose one with option set"));
      CHECK(test::files_in(directories_) == state.files);
      return;
    }
    patch();
    const std::size_t before = *latest.begin();
    Change change{before, state.changes[before].content, {}};
    change.content.replace(at, bytes.size(), bytes);
    for (std::size_t d = 0; d < kDirectories; ++d) {
      if ((present >> d & 1) == 0 || state.heads[d] != before) continue;
      state.heads[d] = state.changes.size();
      change.name = name_in({directories_[d]});
    }
    state.changes.push_back(change);
    state.files = test::files_in(directories_);
  }

  /// Decodes and repairs from all directories.
  void check(const State& state) {
    restore(state);
    const std::set<std::size_t> latest = state.latest(7);
    for (const std::size_t each : latest) {
      CHECK(test::decoded(directories_, state.changes[each].name) == state.changes[each].content);
    }
    if (latest.size() > 1) {
      const test::Thrown decode = test::thrown_by([&] { test::decoded(directories_); });
      CHECK(decode.kind == Status::kInvalidArgument);
      for (const std::size_t each : latest) {
        const std::string& name = state.changes[each].name;
        CHECK(decode.says(name.substr(name.find('@') + 1)));
      }
      CHECK(
          test::thrown_by([&] { test::repair(directories_); }).says("choose one with option set"));
      CHECK(test::files_in(directories_) == state.files);
      return;
    }
    const std::string& content = state.changes[*latest.begin()].content;
    CHECK(test::decoded(directories_) == content);
    test::repair(directories_);
    for (const fs::path& directory : directories_) CHECK(test::decoded({directory}) == content);
  }

  TemporaryFolder folder_{memory_directory()};
  std::vector<fs::path> directories_;
  State first_;
  std::size_t turn_ = 0;
  std::size_t num_refused_ = 0;
};

}  // namespace

TEST_CASE("No change is overwritten that another one does not follow on, whatever is there") {
  Forks forks;
  forks.try_all(4);
  CHECK(forks.num_refused() > 0);
}

TEST_CASE("A directory that was away for long is an earlier version, and not another history") {
  test::ChangeHistory history(1);
  const std::vector<fs::path>& all = history.directories();
  const std::vector<fs::path> some(all.begin(), all.end() - 1);
  const SetFiles before = test::files_in(all);
  history.patch(all);
  history.patch(all);
  for (int i = 0; i < 600; ++i) history.patch(some);
  CHECK(test::decoded(all) == history.content());
  const SetFiles after = test::files_in(all);
  // Two changes back: a generation that no location had to itself, and that is long ago by now.
  test::put_back(all.back(), before);
  CHECK(test::decoded(all) == history.content());
  test::put_back(all.back(), after);
  test::repair(all);
  CHECK(test::decoded({all[1], all[2]}) == history.content());
}

TEST_CASE("Who chooses one of two histories keeps it, and repairs the other away") {
  test::ChangeHistory history(4);  // rs:k=4,m=4
  const std::vector<fs::path>& all = history.directories();
  const SetFiles before = test::files_in(all);
  history.patch({all[0], all[1]});
  const std::string one = history.content();
  const ShardHeader header = test::ReadableSet({all[0], all[1]}).opened.header();
  SetFiles both = test::files_in(all);
  const std::string name = to_string(header.set) + "@" + generation_text(header);
  for (const fs::path& directory : {all[1], all[2]}) test::put_back(directory, before);
  history.patch({all[1], all[2]});
  CHECK(test::thrown_by([&] { test::decoded(all); }).says(generation_text(header)));
  CHECK(test::decoded({all[1], all[2]}) != one);
  test::put_back(all[1], both);
  CHECK(test::decoded(all, name) == one);
  CHECK(test::repair(all, {}, {}, name).rebuilt.size() > 0);
  CHECK(test::decoded(all) == one);
}

TEST_CASE("A second copy that was away for long is an earlier version, too") {
  const test::SetScene scene(1000, {.spec = "rs:k=2,m=2"});
  const fs::path copies = scene.folder.path() / "copies";
  fs::create_directory(copies);
  const auto patch = [&](const std::vector<fs::path>& directories, const std::string& bytes) {
    Progress progress;
    patch_set({.directories = directories, .set_digits = {}, .options = {}, .bounds = {}}, 0,
              test::reader_of(bytes), progress);
  };
  patch({scene.d}, "one");
  fs::copy(scene.path(1), copies / "copy");
  patch({scene.d, copies}, "two");
  for (int i = 0; i < 600; ++i) patch({scene.d}, fmt::format("change {}", i));
  CHECK(test::decoded({scene.d, copies}).starts_with("change 599"));
}

TEST_CASE("A journal of a history that was made apart is not dropped, and --set chooses") {
  test::ChangeHistory history(4);  // rs:k=4,m=4
  const std::vector<fs::path>& all = history.directories();
  const SetFiles before = test::files_in(all);
  history.patch({all[0], all[1]});
  const std::string one = history.content();
  const ShardHeader header = test::ReadableSet({all[0], all[1]}).opened.header();
  const SetFiles changed = test::files_in(all);
  for (const fs::path& directory : all) test::put_back(directory, before);
  // The other change has its journals, and was not carried out.
  {
    const test::ReadableSet set({all[1], all[2]});
    const ShardHeader after = next_generation(set.opened.header(), set.opened.num_copies());
    for (const fs::path& directory : {all[1], all[2]}) {
      JournalWriter journal(directory, after.set, after.generation);
      std::vector<std::uint32_t> locations;
      for (const ShardFile& shard : set.opened.set().shards) {
        if (shard.path.parent_path() == directory) locations.push_back(shard.header.location);
      }
      journal.finish(set.opened.header(), after, locations);
      journal.file().commit(Existing::kRefuse);
    }
  }
  // The first change is kept in two directories; the other change in all[2] alone.
  test::put_back(all[0], changed);
  SetFiles second;
  for (const auto& [path, content] : changed) {
    if (path.parent_path() == all[1]) second[all[1] / path.filename()] = content;
  }
  test::put_back(all[1], second);
  const std::string name = to_string(header.set) + "@" + generation_text(header);
  for (const auto& work : std::vector<std::function<void()>>{
           [&] { test::decoded(all); }, [&] { test::repair(all); }, [&] { history.patch(all); }}) {
    CHECK(test::thrown_by(work).says("choose one with option set"));
  }
  CHECK(test::decoded(all, name) == one);
  test::repair(all, {}, {}, name);
  CHECK(test::decoded(all) == one);
  CHECK(test::ReadableSet(all).found.journals.empty());
}

}  // namespace xorloom
