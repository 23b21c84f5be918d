// Changes that were interrupted while a disk loses writes: a journal is gone or old, and each shard
// is somewhere between before and after.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "runtime/shards/shard_name.hpp"
#include "tests/runtime/sets/change_history.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/sample.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::ChangeHistory;
using test::content_of;
using test::SetFiles;

bool is_journal(const fs::path& path) {
  const auto name = parse_journal_name(path.filename().string());
  return name && !name->is_temporary;
}

/// What a lost write makes of a journal, or of its whole directory.
enum class Loss {
  kGone,       ///< the journal never got its name
  kEmpty,      ///< a name without bytes
  kCut,        ///< only its first bytes
  kZeros,      ///< lost writes of up to 64 bytes read as zeros
  kOlder,      ///< the journal of an earlier change under the new name
  kDirectory,  ///< nothing in the directory was ever written
};
constexpr std::size_t kLosses = 6;

/// A change whose journals have their names, and its state after a power failure with lost writes.
class InterruptedChange {
 public:
  explicit InterruptedChange(std::uint64_t seed) : history_(seed) {
    for (std::size_t i = history_.draw(2); i > 0; --i) history_.change();
    SetFiles earlier = change_with_journals();
    for (const auto& [path, bytes] : earlier) {
      if (is_journal(path)) older_[path.parent_path()] = bytes;
    }
    if (!older_.empty()) {  // the journals must be of the history that goes on
      const bool is_conversion = history_.last() == "convert";
      if (!is_conversion) {
        std::erase_if(earlier, [](const auto& file) { return is_journal(file.first); });
      }
      put_back_all(earlier);
      if (is_conversion) test::repair(directories());
    }
    content_before_ = history_.content();
    after_ = change_with_journals();
  }

  bool has_journals() const {
    return std::ranges::any_of(after_, [](const auto& file) { return is_journal(file.first); });
  }

  /// Makes some state on the way, in which some directories have lost writes.
  void make_state(std::size_t num_losses) {
    put_back_all(after_);
    if (history_.last() != "convert") {
      for (const auto& [path, bytes] : after_) {
        if (!is_journal(path)) test::write_file(path, on_the_way(path, bytes));
      }
    }
    std::vector<fs::path> hit = directories();
    std::ranges::shuffle(hit, history_.random());
    hit.resize(num_losses);
    for (const fs::path& directory : hit) lose(directory);
  }

  ChangeHistory& history() { return history_; }
  const std::vector<fs::path>& directories() const { return history_.directories(); }
  const std::string& content_before() const { return content_before_; }
  const std::string& log() const { return log_; }

 private:
  void put_back_all(const SetFiles& files) const {
    for (const fs::path& directory : directories()) test::put_back(directory, files);
  }

  /// Makes the next change, and returns what it leaves if no name can be removed: journals, beside
  /// what they say.
  SetFiles change_with_journals() {
    before_ = test::files_in(directories());
    test::answer_of_process([&] {
      if (!test::begin_failing(test::kNoUnlink)) return 1;
      try {
        history_.change();
      } catch (const Error&) {
        return 2;  // a conversion cannot go on
      }
      return 0;
    });
    SetFiles files = test::files_in(directories());
    std::erase_if(files, [](const auto& file) { return file.first.extension() == ".lock"; });
    put_back_all(before_);
    history_.change();
    return files;
  }

  /// A shard of which some of the steps of carry_out() have reached the disk. What an append has
  /// written behind the end of a shard is there before journals have names.
  std::string on_the_way(const fs::path& path, const std::string& bytes) {
    const auto old = before_.find(path);
    if (old == before_.end()) return bytes;
    const ShardHeader header = test::ShardImage(path).header;
    std::string state = old->second;
    const std::size_t begin = std::max<std::size_t>(state.size(), lineage_offset(header));
    if (bytes.size() > state.size()) state += bytes.substr(state.size());
    if (begin < state.size()) std::fill(state.begin() + std::ptrdiff_t(begin), state.end(), '\0');
    const auto take = [&](std::size_t from, std::size_t count) {
      state.replace(from, count, bytes.substr(from, count));
    };
    const std::size_t steps = history_.draw(3);
    if (steps == 3) return bytes;
    if (steps >= 1) take(0, header_bytes(header));
    for (std::uint64_t block = 0; steps == 2 && block < num_blocks(header); ++block) {
      const std::size_t count = frame_bytes(header) + payload_bytes(header, block);
      if (history_.draw(1) == 0) take(block_offset(header, block), count);
    }
    return state;
  }

  void lose(const fs::path& directory) {
    const auto loss = static_cast<Loss>(history_.draw(kLosses - 1));
    log_ += fmt::format("loss {} in {}, ", static_cast<int>(loss), directory.filename().string());
    if (loss == Loss::kDirectory) return test::put_back(directory, before_);
    for (const std::string& name : test::names_in(directory)) {
      const fs::path path = directory / name;
      if (!is_journal(path)) continue;
      std::string bytes = test::read_file(path);
      if (loss == Loss::kGone) {
        fs::remove(path);
        continue;
      }
      if (loss == Loss::kEmpty) bytes.clear();
      if (loss == Loss::kCut) bytes.resize(history_.draw(bytes.size() - 1));
      if (loss == Loss::kOlder) bytes = older_[directory];
      if (loss == Loss::kZeros) {
        const std::size_t at = history_.draw(bytes.size() - 1);
        const std::size_t count = std::min(bytes.size() - at, 1 + history_.draw(63));
        bytes.replace(at, count, count, '\0');
      }
      test::write_file(path, bytes);
    }
  }

  ChangeHistory history_;
  SetFiles older_;  ///< the journal of an earlier change, by directory
  SetFiles before_;
  SetFiles after_;  ///< with the journals
  std::string content_before_;
  std::string log_;
};

/// True if the change left journals.
bool run(std::uint64_t seed, std::size_t num_losses) {
  CAPTURE(seed);
  InterruptedChange change(seed);
  ChangeHistory& history = change.history();
  CAPTURE(history.last());
  if (!change.has_journals()) return false;
  change.make_state(num_losses);
  CAPTURE(change.log());
  const std::vector<fs::path>& all = change.directories();
  std::optional<std::string> content = content_of(all);
  if (num_losses != 1) {
    if (content && *content != change.content_before()) CHECK(*content == history.content());
    if (!content) return true;
    const test::Thrown thrown = test::thrown_by([&] { test::repair(all); });
    if (thrown.kind == Status::kOk) CHECK(content_of(all) == content);
    return true;
  }
  CHECK(content == history.content());
  if (history.draw(1) == 0) history.change();
  CHECK(content_of(all) == history.content());
  test::repair(all);
  CHECK(content_of(all) == history.content());
  const test::ReadableSet set(all);
  CHECK(set.verify().bad_blocks.empty());
  CHECK(set.opened.missing().empty());
  return true;
}

void run_all(std::size_t num_losses) {
  std::vector<std::uint64_t> all(10'000);
  std::iota(all.begin(), all.end(), std::uint64_t{1});
  const std::vector<std::uint64_t> seeds = test::sample_unless_whole(all, 60);
  std::size_t with_journals = 0;
  for (const std::uint64_t seed : seeds) with_journals += run(seed, num_losses) ? 1U : 0U;
  CHECK(with_journals > seeds.size() / 2);
}

}  // namespace

TEST_CASE("An interrupted change is read and completed without the journal of one directory") {
  SKIP_WITHOUT_FAILING_CALLS();
  run_all(1);
}

TEST_CASE("Journals lost in several directories give the bytes before or after a change, or none") {
  SKIP_WITHOUT_FAILING_CALLS();
  run_all(2);
}

}  // namespace xorloom
