// Random histories of files that are protected: edits, renames, also over other names, swaps of
// files of one size and time, deletions, damage, also of what is renamed or copied then, updates,
// some of which are killed, and repairs.
// XORLOOM_HISTORIES is their number, and XORLOOM_FIRST_HISTORY the seed of the first one.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/cli/kept/changing_files.hpp"
#include "tests/cli/num_kills.hpp"
#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Blocks of little data.
constexpr std::size_t kBlockBytes = 1024;

class History : ChangingFiles {
 public:
  explicit History(std::uint32_t seed) : ChangingFiles(seed) {
    fs::create_directories(root_ / "d/a/deep");
    fs::create_directories(root_ / "d/b");
    put("d/f0", {random_bytes(9'000, seed), next_time()});
    for (std::size_t i = 3 + any(8); i-- > 0;) add_file();
    for (std::size_t i = 0; i < 1 + any(2); ++i) parts_.push_back(root_ / ("p" + number(i)));
    std::vector<std::string> arguments{"protect", root_ / "d", "--redundancy",
                                       number(20 + any(60)) + "%"};
    add_outputs(arguments);
    REQUIRE(xorloom(arguments).status == 0);
    protect_now();
  }

  void live(std::size_t steps) {
    for (; steps > 0; --steps) {
      for (std::size_t i = any(4); i > 0; --i) change();
      if (any(3) == 0) damage();
      if (any(4) == 0) rename_damaged();
      if (any(3) == 0) check_verify();
      if (any(6) == 0) update_with_copy();
      switch (any(4)) {
        case 0:
          repair();
          break;
        case 1:
          update_killed();
          break;
        default:
          update();
      }
    }
    check_verify();
    repair();
  }

 private:
  void add_outputs(std::vector<std::string>& arguments) const {
    for (const std::string& part : parts_) {
      arguments.emplace_back("-o");
      arguments.push_back(part);
    }
  }

  std::vector<std::string> update_arguments() const {
    std::vector<std::string> arguments{"protect", "--update", "--list-all"};
    add_outputs(arguments);
    return arguments;
  }

  std::vector<std::string> with_parts(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), parts_.begin(), parts_.end());
    return arguments;
  }

  /// Updates `protected_` as an update does: intact files as they are, damaged ones as they were. A
  /// damaged file that was never protected whole counts as intact from now on. `told`: the update's
  /// messages.
  void protect_now(const std::string& told = {}) {
    Versions next;
    for (const auto& [name, version] : now_) {
      if (has(told, "left out: " + name + ": it is like ")) {
        CHECK(version.is_damaged);
        // What was protected under its name stays so, unless it is there under another one.
        const auto was = protected_.find(name);
        const bool is_elsewhere = has(told, "renamed: " + name + " to ") ||
                                  (was != protected_.end() && is_there(was->second.bytes));
        if (was != protected_.end() && !is_elsewhere) next[name] = was->second;
        continue;
      }
      Version wanted = version;
      if (version.is_damaged) {
        const auto was = undamaged(name, version, told);
        if (was != protected_.end()) {
          wanted = was->second;
        } else {
          now_[name].is_damaged = false;
          now_[name].whole.clear();
        }
        wanted.is_damaged = false;
        wanted.whole.clear();
      }
      next[name] = wanted;
    }
    for (const std::string held :
         {"a damaged file may be what is left of it: ", "a damaged file needs it: "}) {
      for (std::size_t at = told.find(held); at != std::string::npos;
           at = told.find(held, at + 1)) {
        const std::size_t begin = at + held.size();
        const std::string name = told.substr(begin, told.find('\n', begin) - begin);
        next[name] = protected_.at(name);
      }
    }
    protected_ = next;
    state_ = state_of_protection();
  }

  /// Identifies the state of the protection: its number and generation.
  std::string state_of_protection() const {
    const Json info = Json::parse(xorloom(with_parts({"info", "--format", "json"})).out);
    const Json& first = info.at("protections")[0];
    return first.at("protection").dump() + " " + first.at("generation").dump();
  }

  /// The protected version that a damaged file was, under its name or another. If there is another
  /// file of that content, the damaged one is a copy, of which nothing is known unless the update
  /// has told that it is damaged. `told`: the update's messages.
  Versions::const_iterator undamaged(const std::string& name, const Version& version,
                                     const std::string& told) const {
    const std::string only = " --only " + name;
    const bool is_told =
        has(told, only + " ") || has(told, only + "\n") || has(told, "the way out: " + name + "\n");
    const auto is_it = [&](const auto& other) {
      return other.second.time == version.time && other.second.bytes == version.whole;
    };
    const auto same = protected_.find(name);
    if (same != protected_.end() && is_it(*same)) return same;
    // A piece of a block may be enough to recognise it.
    const auto was = std::find_if(protected_.begin(), protected_.end(), is_it);
    if (was != protected_.end() && has(told, "renamed: " + was->first + " to " + name + "\n")) {
      return was;
    }
    // If a damaged file is one block, only its name tells which it was, unless that content is
    // elsewhere. If times are coarse, it may be a new file.
    const bool is_small = version.bytes.size() <= kBlockBytes;
    const auto named = by_name(name, version);
    const bool has_name = named != protected_.end();
    if (is_small && has_name && !is_there(named->second.bytes)) return named;
    if (is_small && !has_name && is_coarse(version.time) && !is_told) return protected_.end();
    const bool is_copy = std::any_of(now_.begin(), now_.end(), [&](const auto& other) {
      const Version& its = other.second;
      return other.first != name && (its.is_damaged ? its.whole : its.bytes) == version.whole;
    });
    return is_copy && !is_told ? protected_.end() : was;
  }

  /// The protected file that a file is by its name, size and time. If its name is new and the
  /// protected one is gone, the last parts of both names decide: a directory may have been renamed.
  Versions::const_iterator by_name(const std::string& name, const Version& version) const {
    const bool is_new = !protected_.contains(name);
    return std::find_if(protected_.begin(), protected_.end(), [&](const auto& other) {
      const bool is_moved = is_new && !now_.contains(other.first) &&
                            fs::path(other.first).filename() == fs::path(name).filename();
      return (other.first == name || is_moved) && other.second.time == version.time &&
             other.second.bytes.size() == version.bytes.size();
    });
  }

  bool is_there(const std::string& bytes) const {
    return std::any_of(now_.begin(), now_.end(),
                       [&](const auto& file) { return file.second.bytes == bytes; });
  }

  void check_unchanged() const {
    for (const auto& [key, version] : now_) {
      const std::string& name = key;  // CAPTURE cannot name a structured binding
      CAPTURE(name);
      CHECK((read_file(path(name)) == version.bytes));
    }
  }

  /// `told_before`: what a killed update would have said of what it did.
  void update(const std::string& told_before = {}) {
    Outcome outcome = xorloom(update_arguments());
    outcome.err += told_before;
    CAPTURE(outcome.err);
    check_unchanged();
    if (outcome.status == 0) return protect_now(outcome.err);
    if (outcome.status == 4) return give_up_missing(outcome.err);
    // Status 1: the update saw damage.
    CHECK(outcome.status == 1);
    CHECK(is_damage_named(outcome.err));
    const bool is_damaged = std::any_of(now_.begin(), now_.end(),
                                        [](const auto& file) { return file.second.is_damaged; });
    CHECK(is_damaged);
    if (state_of_protection() != state_) protect_now(outcome.err);  // all others were taken in
    // All files of a directory may be missing, and be protected as a damaged file needs them.
    if (has(outcome.err, "as a damaged file needs it") &&
        xorloom(with_parts({"verify"})).status == 4) {
      return accept_missing();
    }
    any(2) == 0 ? repair() : repair_damaged();
  }

  static bool is_damage_named(const std::string& err) {
    return has(err, "changed, and the time did not, as if by damage") ||
           has(err, "damaged, and beyond repair") ||
           has(err, "damaged, and can be restored if what is missing is brought back");
  }

  /// After an update that refused to give up a directory whose files are all missing.
  void give_up_missing(const std::string& err) {
    CHECK(has(err, "missing"));
    CHECK(has(err, "--accept-missing gives them up"));
    // By directory: of two files at least, the named one, or one that has nothing in it now.
    std::map<fs::path, bool> is_missing;
    std::map<fs::path, std::size_t> files;
    for (const auto& [name, version] : protected_) {
      for (fs::path at = fs::path(name).parent_path(); !at.empty(); at = at.parent_path()) {
        const bool is_there = now_.contains(name);
        ++files[at];
        is_missing.try_emplace(at, true).first->second &= !is_there;
      }
    }
    const bool is_any_missing =
        std::any_of(is_missing.begin(), is_missing.end(), [&](const auto& directory) {
          const fs::path& name = directory.first;
          return directory.second && (files[name] > 1 || name == "d" || is_left_empty(name));
        });
    const bool is_any_there =
        std::any_of(protected_.begin(), protected_.end(), [this](const auto& file) {
          return file.second.bytes.size() > kBlockBytes && is_there(file.second.bytes);
        });
    CHECK((has(err, "as if this were another disk") ? !is_any_there : is_any_missing));
    // If no protected file is there, verify cannot tell whether this is the right disk.
    if (any(2) == 0 && xorloom(with_parts({"verify"})).status != 4) return repair();
    accept_missing();
  }

  void accept_missing() {
    std::vector<std::string> arguments = update_arguments();
    arguments.emplace_back("--accept-missing");
    const Outcome outcome = xorloom(arguments);
    check_unchanged();
    if (outcome.status == 0) return protect_now(outcome.err);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 1);
    CHECK(is_damage_named(outcome.err));
    if (state_of_protection() != state_) protect_now(outcome.err);  // all others were taken in
    repair();
  }

  /// Restores damaged files that have their names, and leaves edits and all others alone.
  void repair_damaged() {
    const Json before = verified();
    if (!is_all_recoverable(before)) return;
    std::vector<std::string> arguments = with_parts({"repair", "--remove-kept"});
    for (auto& [name, version] : now_) {
      const auto was = protected_.find(name);
      if (!version.is_damaged || was == protected_.end() || was->second.bytes != version.whole) {
        continue;
      }
      arguments.insert(arguments.end(), {"--only", name});
      version = was->second;
    }
    if (arguments.back() == parts_.back()) return;
    for (std::size_t i = 3; i < arguments.size(); ++i) {
      if (arguments[i - 1] == "--only") arguments[i] = path(arguments[i]);
    }
    const Outcome outcome = xorloom(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    check_unchanged();
  }

  /// Gives damaged files other names, also those of others.
  void rename_damaged() {
    const Versions before = now_;
    for (const auto& [name, version] : before) {
      if (!version.is_damaged || !is_known(version)) continue;
      const auto other = some_file();
      const bool is_over = any(4) == 0 && other->first != name && !other->second.is_damaged;
      rename_file(name, is_over ? other->first : some_directory() + "f" + number(++names_));
    }
  }

  /// An update with a damaged file and a copy of it, of which one is left out.
  void update_with_copy() {
    const auto file = some_file();
    const std::string name = file->first;
    Version version = file->second;
    const auto was = protected_.find(name);
    if (was == protected_.end() || was->second != version || is_coarse(version.time)) return;
    if (version.bytes.size() < 4 * kBlockBytes) return;
    version.whole = version.bytes;
    version.is_damaged = true;
    version.bytes[any(version.bytes.size())] ^= 1;
    const std::string renamed = some_directory() + "f" + number(++names_);
    const std::string copy = some_directory() + "f" + number(++names_);
    put(name, version);
    if (any(2) == 0) rename_file(name, renamed);
    put(copy, version);
    const auto num_whole = [&](const Versions& versions) {
      return std::count_if(versions.begin(), versions.end(), [&](const auto& each) {
        return each.second.time == version.time && each.second.bytes == version.whole;
      });
    };
    const bool is_elsewhere = num_whole(now_) >= num_whole(protected_);  // in a copy, say
    const Outcome outcome = xorloom(update_arguments());
    CAPTURE(outcome.err);
    check_unchanged();
    std::size_t alike = 0;  // with what earlier damage left of the file
    std::size_t aside = 0;
    const Versions before = now_;
    for (const auto& [each, its] : before) {
      if (!its.is_damaged || its.time != version.time || its.whole != version.whole) continue;
      ++alike;
      if (!has(outcome.err, "left out: " + each + ": it is like ")) continue;
      ++aside;
      remove(each);
    }
    if (outcome.status == 4) remove(copy);
    if (outcome.status == 4) return give_up_missing(outcome.err);
    CHECK((outcome.status == 1 || (is_elsewhere && outcome.status == 0)));
    CHECK(is_damage_named(outcome.err) == (outcome.status == 1));
    // If all files have to be read, damage prevents every change, and nothing is left out.
    CHECK((aside == alike - (is_elsewhere ? 0 : 1) ||
           (aside == 0 && has(outcome.err, "; nothing was changed"))));
    if (state_of_protection() != state_) protect_now(outcome.err);
    update();
  }

  void update_killed() {
    const auto after = std::chrono::microseconds(any(30'000));
    const Outcome outcome = xorloom_ended(update_arguments(), {SIGKILL, after, {}, {}});
    check_unchanged();
    CHECK(xorloom(with_parts({"info"})).status != 3);
    if (outcome.status == 2) return repair();
    // The files are those of the old protection or of the new one, which the next update makes.
    update(state_of_protection() == state_ ? "" : told_of_damage());
  }

  /// The update's messages about damage, rebuilt from what verify says. New files that are damaged
  /// were left out.
  std::string told_of_damage() const {
    std::string told;
    const Json json = verified();
    for (const Json& file : json.at("files")) {
      const std::string name = file.at("name");
      if (file.at("state") == "damaged" && now_.contains(name)) told += " --only " + name + "\n";
      const bool is_held = !now_.contains(name) && protected_.contains(name);
      if (is_held) told += "a damaged file may be what is left of it: " + name + "\n";
    }
    for (const Json& file : json.at("unprotected")) {
      const std::string name = file.at("name");
      if (now_.at(name).is_damaged) told += "left out: " + name + ": it is like a damaged one\n";
    }
    return told;
  }

  Json verified() const {
    const Outcome outcome = xorloom(with_parts({"verify", "--format", "json"}));
    CAPTURE(outcome.err);
    REQUIRE(outcome.status != 2);
    REQUIRE(outcome.status != 4);
    Json json = Json::parse(outcome.out);
    CHECK((outcome.status == 3) == !json.at("recoverable").get<bool>());
    return json;
  }

  void check_verify() const {
    const Json json = verified();
    std::set<std::string> unprotected;
    for (const Json& file : json.at("unprotected")) unprotected.insert(file.at("name"));
    std::set<std::string> moved;
    for (const Json& file : json.at("files")) {
      const std::string name = file.at("name");
      const std::string state = file.at("state");
      CAPTURE(name);
      CAPTURE(state);
      // The remains of a damaged file may have another name.
      const bool is_elsewhere = file.contains("path");
      if (is_elsewhere) moved.insert(fs::path(file.at("path")).lexically_relative(root_));
      const auto now = now_.find(name);
      const auto was = protected_.find(name);
      REQUIRE(was != protected_.end());
      if (now == now_.end()) {
        CHECK((state == "moved" || state == "missing" || (state == "damaged" && is_elsewhere)));
      } else if (is_elsewhere && state == "damaged") {
        CHECK(now->second.bytes != was->second.bytes);
      } else if (state == "replaced" && now->second.is_damaged) {
        CHECK(now->second.whole != was->second.bytes);
      } else if (now->second.bytes == was->second.bytes) {
        CHECK(state == "whole");
      } else {
        const Version now_there{now->second.bytes, {}};
        const bool is_other = !now_there.bytes.empty() && is_known(now_there);
        const bool has_time = now->second.time == was->second.time;
        CHECK(state == (is_other ? "replaced" : has_time ? "damaged" : "edited"));
      }
    }
    for (const auto& file : now_) {
      CAPTURE(file.first);
      const bool is_known = protected_.contains(file.first) || moved.contains(file.first);
      CHECK(unprotected.contains(file.first) == !is_known);
    }
  }

  void repair() {
    const Json before = verified();
    const bool is_recoverable = is_all_recoverable(before);
    // If nothing protected is left, --base says that this is the directory.
    std::vector<std::string> arguments = with_parts({"repair", "--base", root_});
    if (any(2) == 0) arguments.emplace_back("--remove-kept");
    const Outcome outcome = xorloom(arguments);
    CAPTURE(outcome.err);
    const bool is_lost = !before.at("recoverable").get<bool>();
    CHECK(outcome.status == (is_recoverable ? 0 : is_lost ? 3 : 1));
    if (is_recoverable) {
      for (const auto& [key, version] : protected_) {
        const std::string& name = key;
        CAPTURE(name);
        CHECK((read_file(path(name)) == version.bytes));
      }
    }
    check_kept();
    look_around();
  }

  static bool is_all_recoverable(const Json& json) {
    return json.at("lost").empty() && json.at("changed").empty() && json.at("unread").empty();
  }

  /// Checks that after a repair everything that somebody wrote is there, under some name.
  void check_kept() const {
    std::set<std::string> there;
    for (const auto& entry : fs::recursive_directory_iterator(root_ / "d")) {
      if (entry.is_regular_file()) there.insert(read_file(entry.path()));
    }
    for (const auto& [key, version] : now_) {
      const std::string& name = key;
      CAPTURE(name);
      CHECK((version.is_damaged || version.bytes.empty() || there.contains(version.bytes)));
    }
  }

  /// Takes files for what they are now, and removes what repair has kept.
  void look_around() {
    const Versions before = now_;
    now_.clear();
    std::vector<fs::path> kept;
    for (const auto& entry : fs::recursive_directory_iterator(root_ / "d")) {
      if (!entry.is_regular_file()) continue;
      if (has(entry.path().filename().string(), ".damaged")) {
        kept.push_back(entry.path());
        continue;
      }
      const std::string name = entry.path().lexically_relative(root_).string();
      Version version{read_file(entry.path()), entry.last_write_time()};
      const auto was = protected_.find(name);
      const auto had = before.find(name);
      const bool is_as_before = had != before.end() && had->second.bytes == version.bytes;
      const bool is_restored = was != protected_.end() && was->second.bytes == version.bytes;
      version.is_damaged = is_as_before && had->second.is_damaged && !is_restored;
      if (version.is_damaged) version.whole = had->second.whole;
      now_[name] = version;
    }
    for (const fs::path& each : kept) fs::remove(each);
  }

  std::vector<std::string> parts_;
  std::string state_;  ///< see state_of_protection()
};

}  // namespace

TEST_CASE("Whatever happens to files, edits are no damage, and damage is never protected") {
  const std::size_t histories = num_kills("XORLOOM_HISTORIES", 60);
  const char* const first = std::getenv("XORLOOM_FIRST_HISTORY");
  std::uint32_t seed = first == nullptr ? 1 : static_cast<std::uint32_t>(std::stoul(first));
  for (std::size_t i = 0; i < histories; ++i, ++seed) {
    CAPTURE(seed);
    History(seed).live(4);
  }
}

}  // namespace xorloom::test
