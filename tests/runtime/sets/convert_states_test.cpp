// States in which an interrupted conversion in place may leave its directories, and reading and
// writing there, with all directories and without some. XORLOOM_CONVERT_STATES: number of states to
// try for each pair of codes and number of directories.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/sets/change_set.hpp"
#include "runtime/sets/convert_set.hpp"
#include "runtime/shards/shard_journal.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

using namespace test;
namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

/// Progress of a conversion in one directory: the last step that was done.
enum Progressed {
  kNothing,
  kPending,      ///< the new redundancy is there, under hidden names
  kHidden,       ///< a journal is there, under a hidden name
  kNamed,        ///< the journal has its name
  kFirstHeader,  ///< data shards have the new header at their beginning
  kHeaders,      ///< data shards have the new header at their end
  kRemoved,      ///< the old redundancy is gone
  kRenamed,      ///< the new redundancy has its names
  kDone,         ///< the journal is gone
};

/// A set over directories before and after a conversion, and every state between.
struct ConversionScene {
  ConversionScene(const std::string& from, const std::string& to, std::size_t num_directories)
      : content(random_text(533, 3)) {
    for (std::size_t i = 0; i < num_directories; ++i) {
      directories.push_back(folder.path() / fmt::format("d{}", i));
    }
    Progress progress;
    before = encode_set({.read = reader_of(content),
                         .directories = directories,
                         .code = make_code(from),
                         .options = {},
                         .block_bytes = 16},
                        progress)
                 .header;
    for (const fs::path& directory : directories) old_files.push_back(snapshot(directory));
    const SetConversion conversion{directories, {}, make_code(to), {}, {}};
    const ConvertedSet converted = convert_set(conversion, progress);
    REQUIRE(converted.why_whole == "");
    after = converted.encoded.header;
    for (std::size_t i = 0; i < num_directories; ++i) {
      new_files.push_back(snapshot(directories[i]));
      JournalWriter writer(folder.path(), after.set, after.generation);
      std::vector<std::uint32_t> locations;
      for (const auto& [name, bytes] : old_files[i]) {
        if (is_data(bytes)) locations.push_back(location_of(bytes));
      }
      writer.finish(before, after, locations);
      journals.push_back(read_file(writer.file().temporary()));
      journal = writer.file().destination().filename();
    }
  }

  static std::uint32_t location_of(const std::string& bytes) {
    return static_cast<std::uint8_t>(bytes[48]);
  }
  bool is_data(const std::string& bytes) const { return location_of(bytes) < data_shards(before); }

  static std::string hidden(const std::string& name) {
    return "." + name + ".xorloom-0123456789abcdef";
  }

  /// Makes a directory what it is at some moment.
  void make(std::size_t i, int progressed) const {
    fs::remove_all(directories[i]);
    fs::create_directory(directories[i]);
    const auto put = [&](const std::string& name, const std::string& bytes) {
      write_file(directories[i] / name, bytes);
    };
    for (const auto& [name, bytes] : old_files[i]) {
      if (!is_data(bytes)) {
        if (progressed < kRemoved) put(name, bytes);
        continue;
      }
      const std::string& changed = new_files[i].at(name);
      const std::size_t header = header_bytes(after);
      if (progressed < kFirstHeader) put(name, bytes);
      if (progressed == kFirstHeader) put(name, changed.substr(0, header) + bytes.substr(header));
      if (progressed >= kHeaders) put(name, changed);
    }
    for (const auto& [name, bytes] : new_files[i]) {
      if (is_data(bytes) || progressed < kPending) continue;
      put(progressed < kRenamed ? hidden(name) : name, bytes);
    }
    if (progressed == kHidden) put(hidden(journal), journals[i]);
    if (progressed >= kNamed && progressed < kDone) put(journal, journals[i]);
  }

  /// Shards of a code in some directories.
  std::size_t num_shards(const std::vector<Files>& files, const std::vector<bool>& is_there) const {
    std::size_t number = 0;
    for (std::size_t i = 0; i < files.size(); ++i) number += is_there[i] ? files[i].size() : 0;
    return number;
  }

  TemporaryFolder folder;
  std::string content;
  std::vector<fs::path> directories;
  ShardHeader before;
  ShardHeader after;
  std::vector<Files> old_files;
  std::vector<Files> new_files;
  std::vector<std::string> journals;
  std::string journal;
};

/// A state of all directories that some moment of a conversion can leave; those in which others
/// that were there alone have been completed or dropped since, too.
std::vector<int> draw_state(std::size_t num_directories, std::mt19937& random) {
  const auto draw = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  const std::vector<std::pair<int, int>> phases = {
      {kNothing, kPending}, {kPending, kHidden},      {kHidden, kNamed},    {kNamed, kFirstHeader},
      {kNamed, kDone},      {kFirstHeader, kHeaders}, {kHeaders, kRenamed}, {kRenamed, kDone}};
  const auto& [least, most] =
      phases[static_cast<std::size_t>(draw(0, static_cast<int>(phases.size()) - 1))];
  std::vector<int> state;
  for (std::size_t i = 0; i < num_directories; ++i) state.push_back(draw(least, most));
  return state;
}

class Trial {
 public:
  Trial(const ConversionScene& scene, std::mt19937& random) : scene_(scene), random_(random) {}

  void run() {
    const std::size_t all = scene_.directories.size();
    const std::vector<int> state = draw_state(all, random_);
    std::vector<bool> is_there(all, true);
    if (random_() % 3 != 0) {
      for (std::size_t i = 0; i < all; ++i) is_there[i] = random_() % 4 != 0;
    }
    if (std::ranges::find(is_there, true) == is_there.end()) return;
    std::string what = "state";
    for (std::size_t i = 0; i < all; ++i) {
      what += fmt::format(" {}{}", state[i], is_there[i] ? "" : " (away)");
      scene_.make(i, state[i]);
    }
    CAPTURE(what);
    content_ = scene_.content;
    const std::size_t data = data_shards(scene_.before);
    const bool is_made = std::ranges::min(state) >= kNamed;
    const bool suffices =
        scene_.num_shards(is_made ? scene_.new_files : scene_.old_files, is_there) >= data;
    const std::vector<bool> is_away = inverse(is_there);
    const bool may_be_torn = scene_.num_shards(scene_.new_files, is_away) >= data;
    move(is_away, "-away", "");
    // Directories that do for the code before alone, and do not tell whether it is made.
    bool is_undecided = scene_.num_shards(scene_.new_files, is_there) < data;
    for (std::size_t i = 0; i < all; ++i) is_undecided &= !is_there[i] || state[i] >= kNamed;
    look_at_some(is_there, suffices, is_undecided);
    move(is_away, "", "-away");
    look_at_all(may_be_torn);
    bool is_whole = std::ranges::find(is_there, false) == is_there.end();
    if (is_whole) check_no_litter();
  }

 private:
  static std::vector<bool> inverse(std::vector<bool> flags) {
    flags.flip();
    return flags;
  }

  std::vector<fs::path> some(const std::vector<bool>& is_there) const {
    std::vector<fs::path> directories;
    for (std::size_t i = 0; i < is_there.size(); ++i) {
      if (is_there[i]) directories.push_back(scene_.directories[i]);
    }
    return directories;
  }

  void move(const std::vector<bool>& which, const char* to, const char* from) const {
    for (const fs::path& directory : some(which)) {
      fs::rename(directory.string() + from, directory.string() + to);
    }
  }

  /// Reads the file in some of the directories, and runs a command there that may change only what
  /// it is meant to change. Both may be refused unless `suffices`.
  void look_at_some(const std::vector<bool>& is_there, bool suffices, bool is_undecided) {
    const std::vector<fs::path> directories = some(is_there);
    std::string read;
    const Thrown thrown = thrown_by([&] { read = decoded_whole(directories); });
    CAPTURE(thrown.what);
    CHECK((thrown.kind == Status::kOk || !suffices));
    if (thrown.kind == Status::kOk) CHECK(read == content_);
    Progress progress;
    const int command = static_cast<int>(random_() % 4);
    CAPTURE(command);
    const Thrown refused = thrown_by([&] {
      if (command == 0) repair(directories);
      if (command == 1) {
        patch_set({.directories = directories, .set_digits = {}, .options = {}}, 70,
                  reader_of("changed"), progress);
        content_.replace(70, 7, "changed");
      }
      if (command == 2) {
        convert_set({directories, {}, make_code("rs:k=3,m=1,w=4"), {}, {}}, progress);
      }
    });
    CAPTURE(refused.what);
    const bool may_refuse =
        !suffices || (is_undecided && refused.says("give every directory that has some"));
    CHECK((refused.kind == Status::kOk || may_refuse));
    if (refused.kind == Status::kOk && command != 3) CHECK(decoded(directories) == content_);
  }

  /// Throws if anything is lost.
  static std::string decoded_whole(const std::vector<fs::path>& directories) {
    const ReadableSet::Decoded read = ReadableSet(directories).decode();
    if (!read.damage.lost_stripes.empty()) fail(Status::kDamaged, "stripes are lost");
    return read.content;
  }

  void look_at_all(bool may_be_torn) {
    // If two parts of the set were changed separately and each suffices, the user has to choose
    // one.
    const bool is_torn = may_be_torn && thrown_by([&] {
                                          decoded(scene_.directories);
                                        }).says("there are several sets");
    if (is_torn) return;
    CHECK(decoded(scene_.directories) == content_);
    repair(scene_.directories);
    CHECK(decoded(scene_.directories) == content_);
    const ReadableSet set(scene_.directories);
    CHECK(set.verify().bad_blocks.empty());
    CHECK(set.opened.missing().empty());
  }

  void check_no_litter() const {
    const ReadableSet set(scene_.directories);
    std::vector<std::string> names;
    for (const fs::path& directory : scene_.directories) {
      for (const std::string& name : names_in(directory)) names.push_back(name);
    }
    std::ranges::sort(names);
    CHECK(names == shard_names(set.opened.header()));
  }

  const ConversionScene& scene_;
  std::mt19937& random_;
  std::string content_;
};

}  // namespace

TEST_CASE("A conversion in place reads as the file at any moment, from all directories and some") {
  const char* const wanted = std::getenv("XORLOOM_CONVERT_STATES");
  const std::size_t trials = wanted != nullptr ? std::stoul(wanted) : tries_all() ? 60 : 20;
  for (const auto& [from, to] : {std::pair{"rs:k=3,m=2", "rs:k=3,m=4"},
                                 {"rs:k=3,m=4", "rs:k=3,m=2"},
                                 {"rs:k=2,m=2", "isa-cauchy:k=2,m=3"},
                                 {"rs:k=4,m=3", "rs:k=4,m=1"}}) {
    for (const std::size_t directories : {std::size_t{1}, std::size_t{4}, std::size_t{7}}) {
      const std::string which = fmt::format("{} to {}, {} directories", from, to, directories);
      CAPTURE(which);
      const ConversionScene scene(from, to, directories);
      std::mt19937 random(1);
      for (std::size_t trial = 0; trial < trials; ++trial) {
        CAPTURE(trial);
        Trial(scene, random).run();
      }
    }
  }
}

}  // namespace xorloom
