#include "runtime/upkeep/update_files.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/protection/redundancy_plan.hpp"
#include "runtime/protection/stream_reader.hpp"
#include "tests/runtime/upkeep/protection_scene.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::ProtectionScene;
using Files = std::map<std::string, std::string>;

UpdatedSet update(const ProtectionScene& scene, bool is_trial = false,
                  bool accepts_missing = false) {
  Progress progress;
  return update_files({.paths = {},
                       .excluded = {},
                       .outputs = scene.parts,
                       .base = scene.base,
                       .options = {},
                       .accept_missing = accepts_missing,
                       .is_trial = is_trial},
                      progress);
}

/// Gives a file another time than it had, as an edit does.
void make_younger(const fs::path& path) {
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
}

void write_edited(const ProtectionScene& scene, const std::string& name, const std::string& bytes) {
  const bool was_there = fs::exists(scene.base / name);
  const auto before = was_there ? fs::last_write_time(scene.base / name) : fs::file_time_type();
  scene.write(name, bytes);
  if (was_there) fs::last_write_time(scene.base / name, before + std::chrono::seconds(1));
}

std::string some_bytes(std::size_t count, std::mt19937& random) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

/// Does one of the things that people do to files.
void change(const ProtectionScene& scene, int step, std::mt19937& random) {
  const Files files = scene.snapshot();
  const std::string fresh = "new/n" + std::to_string(step);
  if (files.empty() || random() % 6 == 0) {
    scene.write(fresh, some_bytes(random() % 9'000, random));
    return;
  }
  auto file = files.begin();
  std::advance(file, random() % files.size());
  std::string bytes = file->second;
  const std::size_t at = bytes.empty() ? 0 : random() % bytes.size();
  switch (random() % 9) {
    case 0:
      fs::remove(scene.base / file->first);
      return;
    case 1:
      fs::create_directories(scene.base / "new");
      fs::rename(scene.base / file->first, scene.base / fresh);
      return;
    case 2:
      make_younger(scene.base / file->first);
      return;
    case 3:
      bytes.insert(at, some_bytes(1 + random() % 50, random));
      break;
    case 4:
      bytes.resize(at);
      break;
    case 5:
      bytes += some_bytes(random() % 3000, random);
      break;
    case 6:
      bytes.erase(at, 1 + random() % 3000);
      break;
    case 7:
      scene.write(fresh, bytes);  // a copy
      return;
    default:
      if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ 1);
  }
  write_edited(scene, file->first, bytes);
}

/// Damages at most `most` chunks of a row, each by one byte of a random file.
void damage_blocks(const ProtectionScene& scene, std::size_t most, std::mt19937& random) {
  const Protection protection = scene.open();
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t file = random() % protection.map.num_files();
    const std::string& name = protection.manifest.files[file].name;
    std::string bytes = scene.read(name);
    if (bytes.empty()) continue;
    bytes[random() % bytes.size()] ^= 1;
    scene.write(name, bytes);
  }
}

void check_is_whole(const ProtectionScene& scene) {
  const Protection protection = scene.open();
  const ProtectionCheck check = scene.check();
  CHECK(check.is_whole(protection));
  std::vector<std::string> names;
  for (const auto& file : scene.snapshot()) names.push_back(file.first);
  std::vector<std::string> protected_names;
  for (const ProtectedFile& file : protection.manifest.files) protected_names.push_back(file.name);
  CHECK(protected_names == names);
}

}  // namespace

TEST_CASE("Whatever was done to files, an update protects them as they are") {
  std::size_t added = 0;
  std::size_t whole = 0;
  std::size_t restored = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<std::size_t> sizes(4 + random() % 12);
    for (std::size_t& size : sizes) size = random() % (random() % 2 == 0 ? 2'000 : 60'000);
    const ProtectionScene scene(sizes, {.percent = 10.0 + static_cast<double>(random() % 60)},
                                1 + seed % 2, seed);
    for (int round = 0; round < 3; ++round) {
      CAPTURE(round);
      const std::size_t steps = random() % 5;
      for (std::size_t step = 0; step < steps; ++step) {
        change(scene, 10 * round + static_cast<int>(step), random);
      }
      if (scene.snapshot().empty()) scene.write("last", "x");
      const Files before = scene.snapshot();
      const UpdatedSet updated = update(scene);
      added += updated.way == UpdateWay::kAdded ? 1 : 0;
      whole += updated.way == UpdateWay::kWhole ? 1 : 0;
      CHECK(scene.snapshot() == before);
      check_is_whole(scene);
      CHECK(update(scene).way == UpdateWay::kNothing);
      // What the redundancy allows can be restored.
      const std::size_t left = scene.open().code.m - most_given_up(scene.open().manifest);
      damage_blocks(scene, left, random);
      CHECK(scene.check().lost.empty());
      CHECK(scene.restore().lost.empty());
      for (const auto& file : before) CHECK(scene.read(file.first) == file.second);
      for (const auto& file : scene.snapshot()) {
        if (!before.contains(file.first)) fs::remove(scene.base / file.first);
      }
      check_is_whole(scene);
      ++restored;
    }
  }
  CHECK(added > 15);
  CHECK(whole > 8);
  CHECK(restored == 60);
}

TEST_CASE("An update reads what is new and the redundancy, and names what changed") {
  const ProtectionScene scene({300'000, 300'000, 300'000, 90'000, 1'000});
  std::mt19937 random(1);
  scene.write("new", some_bytes(5'000, random));
  std::string bytes = scene.read("f1");
  bytes[150'000] ^= 1;
  write_edited(scene, "f1", bytes);
  write_edited(scene, "f2", "front" + scene.read("f2"));
  fs::rename(scene.base / "below/f3", scene.base / "other");
  fs::remove(scene.base / "f4");
  const UpdatedSet trial = update(scene, true);
  CHECK(trial.files.added == std::vector<std::string>{"new"});
  CHECK(trial.bytes_written == 0);
  const UpdatedSet updated = update(scene);
  CHECK(updated.way == UpdateWay::kAdded);
  CHECK(updated.files.added == std::vector<std::string>{"new"});
  CHECK(updated.files.edited == std::vector<std::string>{"f1", "f2"});
  const std::vector<std::pair<std::string, std::string>> renamed{{"below/f3", "other"}};
  CHECK(updated.files.renamed == renamed);
  CHECK(updated.files.gone == std::vector<std::string>{"f4"});
  CHECK(updated.files.same == 1);
  // The redundancy got what is new: the whole new file, and a block or two of the edited ones.
  const Protection protection = scene.open();
  CHECK(protection.map.stream_bytes() < 991'000 + 5'000 + 3 * 1024);
  CHECK(updated.given_up == 3);  // a block of f1, and those that f4 was in
  CHECK(protection.parts.front().header.generation == 2);
  CHECK(protection.parts.front().header.id == scene.made.id);
  check_is_whole(scene);
}

TEST_CASE("Damage is never taken in, neither where files are read nor where they are not") {
  const ProtectionScene scene({100'000, 100'000, 100'000});
  const auto damage_silently = [&](const std::string& name) {
    const auto time = fs::last_write_time(scene.base / name);
    std::string bytes = scene.read(name);
    bytes[777] ^= 1;
    scene.write(name, bytes);
    fs::last_write_time(scene.base / name, time);
  };
  damage_silently("f1");
  scene.write("new", "small");
  CHECK(update(scene).way == UpdateWay::kAdded);
  CHECK(scene.check().found.files[1].kind == FileState::Kind::kDamaged);
  CHECK(scene.restore().rebuilt.size() == 1);
  CHECK(scene.read("f1") == scene.before.at("f1"));
  fs::remove(scene.base / "f1.damaged");
  // After such losses all files are read. The silent damage is then found, and f1 stays protected
  // as it was.
  using Names = std::vector<std::string>;
  damage_silently("f1");
  fs::remove(scene.base / "f2");
  CHECK(update(scene).files.waiting == std::set<std::string>{"f1"});  // f2 could restore it
  const UpdatedSet beside = update(scene, false, true);
  CHECK(beside.way == UpdateWay::kAdded);
  CHECK(beside.files.damaged == Names{"f1"});
  CHECK(scene.check().found.files[1].kind == FileState::Kind::kDamaged);
  const std::string before = ProtectionScene::read_path(scene.parts[0]);
  CHECK_THROWS_WITH_AS(update(scene), doctest::Contains("f1 changed, and the time did not"), Error);
  // So does a file that has another length and its old time.
  const auto time = fs::last_write_time(scene.base / "f1");
  scene.write("f1", scene.read("f1") + "more");
  fs::last_write_time(scene.base / "f1", time);
  CHECK(update(scene).files.damaged == Names{"f1"});
  CHECK(ProtectionScene::read_path(scene.parts[0]) == before);
  scene.write("new", "edited");
  CHECK(update(scene).files.damaged == Names{"f1"});
  CHECK(scene.check().found.files[1].kind == FileState::Kind::kDamaged);
  // Once it is whole, nothing is given up any more.
  scene.write("f1", scene.before.at("f1"));
  fs::last_write_time(scene.base / "f1", time);
  CHECK(update(scene).way == UpdateWay::kWhole);
  check_is_whole(scene);
}

TEST_CASE("A damaged protection is written anew by an update, from all files") {
  for (const std::size_t parts : {1U, 2U}) {
    const ProtectionScene scene({200'000, 70'000}, {.percent = 20}, parts);
    const std::size_t bytes = ProtectionScene::read_path(scene.parts[0]).size();
    for (const std::size_t at : {std::size_t{0}, bytes / 2, bytes - 1}) {
      CAPTURE(at);
      std::string damaged = ProtectionScene::read_path(scene.parts[0]);
      damaged[at] ^= 1;
      std::ofstream(scene.parts[0], std::ios::binary) << damaged;
      scene.write("new" + std::to_string(at), "new");
      const UpdatedSet updated = update(scene);
      CHECK(updated.way == UpdateWay::kWhole);
      CHECK(updated.why_whole == "the protection is damaged");
      check_is_whole(scene);
    }
    if (parts == 1) continue;
    fs::remove(scene.parts[1]);
    scene.write("again", "new");
    CHECK_THROWS_WITH_AS(update(scene), doctest::Contains("as if a disk were not mounted"), Error);
    CHECK(!fs::exists(scene.parts[1]));
    CHECK(update(scene, false, true).way == UpdateWay::kWhole);
    check_is_whole(scene);
  }
}

TEST_CASE("Beside damage of files and of their protection, an update takes in all else") {
  for (const std::size_t parts : {1U, 2U}) {
    const ProtectionScene scene({200'000, 70'000, 9'000}, {.percent = 60}, parts);
    const auto time = fs::last_write_time(scene.base / "f1");
    const std::string whole = scene.read("f1");
    std::string bytes = whole;
    bytes[777] ^= 1;
    // A header, a page of the list, a block, and all of a part.
    const std::string part = ProtectionScene::read_path(scene.parts.back());
    for (const std::size_t at : {std::size_t{0}, std::size_t{300}, part.size() / 2, part.size()}) {
      CAPTURE(at);
      const bool is_removed = at == part.size();
      if (is_removed && parts == 1) continue;
      scene.write("f1", bytes);
      fs::last_write_time(scene.base / "f1", time);
      std::string damaged = ProtectionScene::read_path(scene.parts.back());
      if (is_removed) {
        fs::remove(scene.parts.back());
      } else {
        damaged[at] ^= 1;
        std::ofstream(scene.parts.back(), std::ios::binary) << damaged;
      }
      const std::string fresh = "new" + std::to_string(at);
      scene.write(fresh, "new");
      const UpdatedSet trial = update(scene, true, is_removed);
      const UpdatedSet updated = update(scene, false, is_removed);
      CHECK(trial.way == UpdateWay::kAdded);
      CHECK(trial.remarks == updated.remarks);
      CHECK(updated.way == UpdateWay::kAdded);
      CHECK(updated.files.added == std::vector<std::string>{fresh});
      CHECK(updated.files.damaged == std::vector<std::string>{"f1"});
      // A list and headers are written anew, and blocks wait for what they are of.
      const bool stays_damaged = at >= part.size() / 2;
      CHECK(updated.remarks.size() == (stays_damaged ? 1 : 0));
      const RestoredFiles restored = scene.restore();
      CHECK(restored.lost.empty());
      CHECK(restored.rewritten_parts.size() == (stays_damaged ? 1 : 0));
      CHECK(scene.read("f1") == whole);
      fs::remove(scene.base / "f1.damaged");
      check_is_whole(scene);
    }
  }
}

TEST_CASE("A part that an interrupted update left behind is named, and written anew") {
  const ProtectionScene scene({200'000, 70'000}, {.percent = 50}, 3);
  for (const std::size_t stale : {0U, 1U, 2U}) {
    const std::string old = ProtectionScene::read_path(scene.parts[stale]);
    write_edited(scene, "f1", scene.read("f1") + "x");
    CHECK(update(scene).way == UpdateWay::kAdded);
    const std::string wanted = ProtectionScene::read_path(scene.parts[stale]);
    std::ofstream(scene.parts[stale], std::ios::binary) << old;
    const Protection protection = scene.open();
    REQUIRE(protection.unusable.size() == 1);
    CHECK(protection.unusable.front().find("is of generation ") != std::string::npos);
    CHECK(protection.places.size() == 1);
    CHECK(!scene.check().is_whole(protection));
    CHECK(scene.restore().rewritten_parts.size() == 1);
    CHECK(ProtectionScene::read_path(scene.parts[stale]) == wanted);
    check_is_whole(scene);
  }
}

TEST_CASE("What was given up is forgotten when repair writes a damaged protection anew") {
  const ProtectionScene scene({300'000, 300'000, 2'000, 100}, {.percent = 30}, 2);
  std::string bytes = scene.read("f1");
  for (std::size_t at = 5'000; at < bytes.size(); at += 50'000) bytes[at] ^= 1;
  write_edited(scene, "f1", bytes);
  fs::remove(scene.base / "f2");
  REQUIRE(update(scene).way == UpdateWay::kAdded);
  REQUIRE(most_given_up(scene.open().manifest) > 0);
  std::string damaged = ProtectionScene::read_path(scene.parts[1]);
  damaged[damaged.size() / 2] ^= 1;
  std::ofstream(scene.parts[1], std::ios::binary) << damaged;
  CHECK(scene.restore().rewritten_parts.size() == 2);
  CHECK(most_given_up(scene.open().manifest) == 0);
  check_is_whole(scene);
  const std::size_t m = scene.open().code.m;
  std::mt19937 random(1);
  damage_blocks(scene, m, random);
  CHECK(scene.restore().lost.empty());
  CHECK(scene.read("f1") == bytes);
}

TEST_CASE("repair writes nothing over a protection that was updated since it was read") {
  for (const bool is_file_lost : {false, true}) {
    CAPTURE(is_file_lost);
    for (const std::size_t num_parts : {1UL, 2UL}) {
      const ProtectionScene scene({300'000, 2'000, 100}, {.percent = 50}, num_parts);
      std::string damaged = ProtectionScene::read_path(scene.parts[0]);
      damaged[damaged.size() / 2] ^= 1;
      std::ofstream(scene.parts[0], std::ios::binary) << damaged;
      if (is_file_lost) fs::remove(scene.base / "f1");
      Progress progress;
      const Protection protection = scene.open();
      const ProtectionCheck check = check_protection(protection, scene.base, {}, 2, progress);
      scene.write("new", "protected since");
      update(scene);
      std::vector<std::string> updated;
      for (const fs::path& part : scene.parts) updated.push_back(ProtectionScene::read_path(part));
      const Files files = scene.snapshot();
      const auto restore = [&] {
        return restore_files(protection, check, {.base = scene.base}, progress);
      };
      if (is_file_lost) {  // the update gave it up
        CHECK_THROWS_AS(restore(), Error);
      } else {
        const RestoredFiles restored = restore();
        CHECK(restored.rewritten_parts.empty());
        CHECK(restored.rewriting_failure.ends_with(
            "was written anew meanwhile: repair again, with what is protected now"));
      }
      CHECK(scene.snapshot() == files);
      for (std::size_t i = 0; i < num_parts; ++i) {
        CHECK(ProtectionScene::read_path(scene.parts[i]) == updated[i]);
      }
      check_is_whole(scene);
    }
  }
}

TEST_CASE(
    "Updates are refused that would protect nothing of a directory, or write half a protection") {
  const ProtectionScene scene({5'000, 5'000, 5'000, 5'000}, {.percent = 50}, 2);
  const Files before = scene.snapshot();
  Progress progress;
  CHECK_THROWS_WITH_AS(update_files({.paths = {},
                                     .excluded = {},
                                     .outputs = {scene.parts[0]},
                                     .base = scene.base,
                                     .options = {}},
                                    progress),
                       doctest::Contains("name all of them as outputs"), Error);
  const fs::path away = scene.folder / "away";
  fs::rename(scene.base, away);
  CHECK_THROWS_WITH_AS(update(scene), doctest::Contains("is no directory any more"), Error);
  fs::create_directory(scene.base);
  CHECK_THROWS_AS(update(scene), Error);
  fs::remove(scene.base);
  fs::rename(away, scene.base);
  CHECK(update(scene).way == UpdateWay::kNothing);
  CHECK(scene.snapshot() == before);
}

TEST_CASE("Codes with more data chunks have the same redundancy of those that both have") {
  const Code code = code_of(planned_manifest({{.name = "f", .bytes = 300'000}}, {}, {}), {});
  for (const std::size_t more : {0U, 1U, 17U, 900U}) {
    const auto extended = extended_code(code, code.k + more, {});
    REQUIRE(extended.has_value());
    CHECK(extended->k == code.k + more);
    CHECK(extended->m == code.m);
    CHECK(extended->w == code.w);
  }
  const Code small = code_of(planned_manifest({{.name = "f", .bytes = 10'000}}, {}, {}), {});
  CHECK(extended_code(small, 200, {}).has_value());
  CHECK(!extended_code(small, 300, {}).has_value());  // `small` has symbols of 8 bits
}

TEST_CASE("A file that grew since it was listed is told as one that is being written") {
  const ProtectionScene scene({3});
  std::vector<ProtectedFile> files{{.name = "below/f0", .bytes = 2}};
  lay_out(files);
  const FileMap map(files, 8);
  StreamReader reader(scene.base, files, map);
  std::vector<std::uint8_t> bytes(2);
  const std::string path = scene.base / "below/f0";
  CHECK_THROWS_WITH(reader.read(0, bytes),
                    (path + " has 3 bytes now, and had 2 before, as if it were being written; no "
                            "protection was changed: run this again")
                        .c_str());
}

}  // namespace xorloom
