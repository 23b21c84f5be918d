#include "runtime/upkeep/restore_files.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/upkeep/files_there.hpp"
#include "tests/runtime/upkeep/protection_scene.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Kind = FileState::Kind;
using test::ProtectionScene;

std::vector<std::size_t> some_sizes(std::mt19937& random) {
  std::vector<std::size_t> sizes(1 + random() % 12);
  for (std::size_t& size : sizes) {
    const std::size_t most[] = {1, 10, 1000, 5000, 40'000};
    size = random() % most[random() % 5];
  }
  return sizes;
}

/// The files of the directory without the kept copies of damaged files.
std::map<std::string, std::string> without_kept(std::map<std::string, std::string> files) {
  std::erase_if(files,
                [](const auto& file) { return file.first.find(".damaged") != std::string::npos; });
  return files;
}

/// Damages a file in one of many ways; what was lost is at most its bytes.
void damage(const ProtectionScene& scene, const std::string& name, std::mt19937& random) {
  std::string bytes = scene.read(name);
  const std::size_t at = bytes.empty() ? 0 : random() % bytes.size();
  switch (random() % 7) {
    case 0:
      fs::remove(scene.base / name);
      return;
    case 1:
      fs::rename(scene.base / name, scene.base / (name + "-moved"));
      return;
    case 2:
      bytes.insert(at, std::string(1 + random() % 50, 'x'));
      break;
    case 3:
      bytes.resize(at);
      break;
    case 4:
      bytes += "more";
      break;
    case 5:
      bytes.erase(at, 1 + random() % 30);
      break;
    default:
      if (!bytes.empty()) bytes[at] ^= 1;
  }
  scene.write(name, bytes);
}

}  // namespace

TEST_CASE("No file is restored while another program writes beside the protection") {
  const ProtectionScene scene({3000, 3000, 3000}, {.percent = 100});
  fs::remove(scene.base / "f1");
  {
    const DirectoryLock lock(directory_of(scene.parts[0]));
    CHECK_THROWS_WITH_AS(scene.restore(), doctest::Contains("another program is writing"), Error);
    CHECK(!fs::exists(scene.base / "f1"));
  }
  CHECK(scene.restore().is_complete());
  CHECK(scene.snapshot() == scene.before);
}

TEST_CASE("A list of files that takes more memory than is allowed is refused") {
  const ProtectionScene scene({5000, 300});
  ReadingBounds bounds;
  bounds.memory_bytes = manifest_bytes(scene.made.manifest) - 1;
  CHECK_THROWS_WITH_AS(
      open_protection(scene.parts, bounds),
      doctest::Contains("the list of protected files takes 384 bytes of memory, "
                        "more than the 383 that files may take; option allow_large"),
      Error);
}

TEST_CASE("Whatever happened to files, what the redundancy suffices for comes back byte for byte") {
  std::size_t restored = 0;
  std::size_t beyond = 0;
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const ProtectionScene scene(some_sizes(random),
                                {.percent = 5.0 + static_cast<double>(random() % 60)}, 1, seed);
    for (const auto& file : scene.before) {
      if (random() % 3 == 0) damage(scene, file.first, random);
    }
    const auto damaged = scene.snapshot();
    const Protection protection = scene.open();
    const ProtectionCheck check = scene.check();
    CHECK(check.lost.empty() == (check.most_lost <= protection.code.m));
    CHECK(check.is_whole(protection) == (damaged == scene.before));
    const RestoredFiles result = scene.restore();
    const auto after = scene.snapshot();
    // Nothing that anybody had is gone: it has its name, its old one, or is beside it.
    for (const auto& file : damaged) {
      const bool is_kept = std::ranges::any_of(
          after, [&](const auto& other) { return other.second == file.second; });
      CHECK(is_kept);
    }
    if (check.lost.empty()) {
      ++restored;
      CHECK(result.lost.empty());
      for (const auto& file : scene.before) {
        CAPTURE(file.first);
        const bool is_there = after.contains(file.first);
        REQUIRE(is_there);
        CHECK(after.at(file.first) == file.second);
      }
      CHECK(scene.check().is_whole(protection));
      continue;
    }
    ++beyond;
    for (const fs::path& path : result.lost) {
      const std::string name = path.lexically_relative(scene.base).string();
      const auto was = damaged.find(name);
      const auto is = after.find(name);
      CHECK((was == damaged.end()) == (is == after.end()));
      if (was != damaged.end() && is != after.end()) CHECK(was->second == is->second);
    }
  }
  CHECK(restored > 30);
  CHECK(beyond > 10);
}

TEST_CASE("Any m chunks may be lost, and no more") {
  for (const std::size_t m : {1U, 3U, 10U}) {
    for (const bool is_one_more : {false, true}) {
      // 20 chunks of one block each, all of one file.
      const ProtectionScene scene({20 * 1024}, {.m = m, .k = 20});
      REQUIRE(scene.made.k == 20);
      std::string bytes = scene.read("below/f0");
      for (std::size_t i = 0; i < m + (is_one_more ? 1 : 0); ++i)
        bytes[(2 * i % 20 + i / 10) * 1024] ^= 1;
      scene.write("below/f0", bytes);
      const ProtectionCheck check = scene.check();
      CHECK(check.lost.empty() != is_one_more);
      scene.restore();
      CHECK((scene.read("below/f0") == scene.before.at("below/f0")) != is_one_more);
    }
  }
}

TEST_CASE("A restored file has its permissions and its time, and what was there is kept") {
  const ProtectionScene scene({50'000, 20'000}, {.percent = 50});
  // The manifest has what they were when they were protected.
  const ProtectedFile& file = scene.made.manifest.files[1];
  REQUIRE(file.name == "f1");
  scene.write("f1", "something else");
  ::chmod((scene.base / "f1").c_str(), 0666);
  const RestoredFiles result = scene.restore();
  struct stat status {};
  REQUIRE(::stat((scene.base / "f1").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == file.permissions);
  CHECK(status.st_mtim.tv_sec == file.modified_seconds);
  CHECK(status.st_mtim.tv_nsec == file.modified_nanoseconds);
  REQUIRE(result.kept.size() == 1);
  CHECK(scene.read("f1.damaged") == "something else");
  scene.write("f1", "once more");
  scene.restore();
  CHECK(scene.read("f1.damaged-2") == "once more");
  CHECK(scene.read("f1") == scene.before.at("f1"));
}

TEST_CASE("A file that moved gets its name back, and one of two copies of it stays") {
  ProtectionScene scene({30'000, 10'000});
  const fs::path elsewhere = scene.folder / "elsewhere";
  fs::create_directories(elsewhere);
  fs::rename(scene.base / "f1", elsewhere / "g");
  // Nobody looks there unless told, and takes nothing away from there.
  CHECK(scene.check().found.files[1].kind == Kind::kMissing);
  CHECK(scene.check({elsewhere}).found.files[1].kind == Kind::kMoved);
  const RestoredFiles copied = scene.restore({elsewhere});
  CHECK(copied.moved_back.empty());
  CHECK(scene.read("f1") == scene.before.at("f1"));
  CHECK(ProtectionScene::read_path(elsewhere / "g") == scene.before.at("f1"));
  // Below the protected directories everything is found.
  fs::create_directories(scene.base / "below/new");
  fs::rename(scene.base / "f1", scene.base / "below/new/g");
  CHECK(scene.restore().moved_back.size() == 1);
  CHECK(scene.snapshot() == scene.before);
  fs::rename(scene.base / "f1", scene.base / "below" / "g");
  const RestoredFiles result = scene.restore();
  CHECK(result.moved_back.size() == 1);
  CHECK(scene.snapshot() == scene.before);
  // Two files were the same, both are gone, and there is one copy.
  scene.write("f1", scene.read("below/f0"));
  scene.protect_again();
  const auto before = scene.snapshot();
  fs::rename(scene.base / "f1", scene.base / "copy");
  fs::remove(scene.base / "below" / "f0");
  scene.restore();
  CHECK(scene.snapshot() == before);
}

TEST_CASE("Protection files that are damaged are written anew, as they were") {
  for (const std::size_t parts : {1U, 3U}) {
    const ProtectionScene scene({100'000, 3, 0, 70'000}, {.percent = 20}, parts);
    std::vector<std::string> before;
    for (const fs::path& part : scene.parts) before.push_back(ProtectionScene::read_path(part));
    for (std::size_t i = 0; i < parts; ++i) {
      for (const std::size_t at :
           {std::size_t{0}, std::size_t{200}, before[i].size() / 2, before[i].size() - 1}) {
        std::string bytes = before[i];
        bytes[at] ^= 1;
        std::ofstream(scene.parts[i], std::ios::binary) << bytes;
        CAPTURE(at);
        CHECK(!scene.check().is_whole(scene.open()));
        const RestoredFiles result = scene.restore();
        CHECK(result.rewritten_parts == std::vector<fs::path>{scene.parts[i]});
        CHECK(ProtectionScene::read_path(scene.parts[i]) == before[i]);
      }
      for (const std::size_t bytes : {before[i].size() - 1, before[i].size() / 2}) {
        std::ofstream(scene.parts[i], std::ios::binary) << before[i].substr(0, bytes);
        scene.restore();
        CHECK(ProtectionScene::read_path(scene.parts[i]) == before[i]);
      }
      // A byte more at the beginning, and in the middle: what follows is found from the end.
      for (const std::size_t at : {std::size_t{0}, before[i].size() / 2}) {
        std::string bytes = before[i];
        bytes.insert(at, "x");
        std::ofstream(scene.parts[i], std::ios::binary) << bytes;
        CHECK(scene.check().bad_blocks[i] <= 1);
        scene.restore();
        CHECK(ProtectionScene::read_path(scene.parts[i]) == before[i]);
      }
    }
    CHECK(scene.snapshot() == scene.before);
  }
}

TEST_CASE("Some parts of a protection restore as much as they have redundancy for") {
  const ProtectionScene scene({40 * 1024}, {.m = 8, .k = 40}, 2);
  std::string bytes = scene.read("below/f0");
  for (std::size_t i = 0; i < 4; ++i) bytes[i * 2048] ^= 1;
  scene.write("below/f0", bytes);
  for (const fs::path& part : scene.parts) {
    Progress progress;
    const Protection protection = open_protection({part}, {});
    const ProtectionCheck check = check_protection(protection, scene.base, {}, 0, progress);
    CHECK(check.lost.empty());
    CHECK(check.most_lost == 8);
  }
  bytes[39 * 1024] ^= 1;
  scene.write("below/f0", bytes);
  Progress progress;
  const Protection one = open_protection({scene.parts[1]}, {});
  CHECK(!check_protection(one, scene.base, {}, 0, progress).lost.empty());
  scene.restore();
  CHECK(without_kept(scene.snapshot()) == scene.before);
}

TEST_CASE("Parts of two protections, the same one twice, and other files are refused") {
  const ProtectionScene scene({5000}, {.percent = 50}, 2);
  const ProtectionScene other({5000}, {.percent = 50}, 2);
  const auto refused = [](const std::vector<fs::path>& paths, Status kind, const char* part) {
    try {
      static_cast<void>(open_protection(paths, {}));
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.kind() == kind);
      CHECK(std::string(error.what()).find(part) != std::string::npos);
    }
  };
  refused({scene.parts[0], other.parts[1]}, Status::kInvalidArgument, "not parts of one");
  refused({scene.parts[0], scene.parts[0]}, Status::kInvalidArgument, "the same part");
  refused({scene.base / "below" / "f0"}, Status::kIo, "not a protection file");
  refused({scene.base / "none"}, Status::kIo, "does not exist");
  refused({scene.base}, Status::kIo, "not a regular file");
}

TEST_CASE("Files that have each other's names, or an equal file, are found without redundancy") {
  ProtectionScene scene({600, 700, 600, 600, 3000, 3000}, {.m = 1});
  // The names go round, for small files and for large ones.
  fs::rename(scene.base / "below" / "f0", scene.base / "t");
  fs::rename(scene.base / "f2", scene.base / "below" / "f0");
  fs::rename(scene.base / "below" / "f3", scene.base / "f2");
  fs::rename(scene.base / "t", scene.base / "below" / "f3");
  fs::rename(scene.base / "f4", scene.base / "t");
  fs::rename(scene.base / "f5", scene.base / "f4");
  fs::rename(scene.base / "t", scene.base / "f5");
  CHECK(scene.check().most_needed == 0);
  const RestoredFiles restored = scene.restore();
  CHECK(restored.moved_back.size() == 5);
  CHECK(restored.bytes_written == 0);
  CHECK(scene.snapshot() == scene.before);
  // A copy that is protected itself, and whole, has all that a lost one needs.
  scene.write("f1", scene.read("f4"));
  scene.protect_again();
  const auto before = without_kept(scene.snapshot());
  fs::remove(scene.base / "f1");
  CHECK(scene.check().lost.empty());
  scene.restore();
  CHECK(without_kept(scene.snapshot()) == before);
}

TEST_CASE("What is in the way of one file leaves the others to be restored") {
  const std::string name(250, 'n');
  ProtectionScene scene({5000, 5000, 5000}, {.percent = 100});
  for (const std::string& more : {name + "1", name + "2", std::string("f1.damaged")}) {
    scene.write(more, more);
  }
  // Beside f1 it is protected only if it is named.
  scene.protect_again({.percent = 100}, {scene.base / "f1.damaged"});
  const auto before = scene.snapshot();
  fs::remove(scene.base / "f1.damaged");
  for (const std::string& each : {name + "1", name + "2", std::string("f1")}) {
    scene.write(each, "other");
  }
  fs::remove(scene.base / "f2");
  fs::create_directory(scene.base / "f2");
  const RestoredFiles result = scene.restore();
  REQUIRE(result.failures.size() == 1);
  CHECK(result.failures.front().find("f2: a directory stands there") != std::string::npos);
  fs::remove(scene.base / "f2");
  CHECK(scene.restore().failures.empty());
  for (const auto& file : before) CHECK(scene.read(file.first) == file.second);
  CHECK(scene.read("f1.damaged-2") == "other");
}

TEST_CASE("Nothing is written where a link leads out of the directory") {
  const ProtectionScene scene({5000, 5000}, {.percent = 100});
  fs::remove_all(scene.base / "below");
  fs::create_directory(scene.folder / "out");
  fs::create_directory_symlink(scene.folder / "out", scene.base / "below");
  const RestoredFiles result = scene.restore();
  REQUIRE(result.failures.size() == 1);
  CHECK(result.failures.front().find("leads out of") != std::string::npos);
  CHECK(scene.folder.names("out").empty());
}

TEST_CASE("Many lost files are restored where few may be open") {
  rlimit files{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &files) == 0);
  const ProtectionScene scene(std::vector<std::size_t>(700, 100), {.percent = 100});
  fs::remove_all(scene.base);
  fs::create_directory(scene.base);
  rlimit few = files;
  few.rlim_cur = 400;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  const RestoredFiles result = scene.restore();
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &files) == 0);
  CHECK(result.failures.empty());
  CHECK(scene.snapshot() == scene.before);
}

TEST_CASE("A list that is made to cost much is refused, or costs little") {
  // Each window of zeros has the rolling sum of the block that is looked for.
  const ProtectionScene scene({70'000}, {.percent = 10});
  scene.write("below/f0", std::string(3'000'000, '\0'));
  Protection protection = scene.open();
  for (SegmentSums& sums : protection.manifest.sums) sums = {0, 1};
  Progress progress;
  const auto begin = std::chrono::steady_clock::now();
  static_cast<void>(check_protection(protection, scene.base, {}, 0, progress));
  // Without a bound it is 3 million checksums of a block, which take far longer.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("Blocks that are alike are found, wherever one of them is left") {
  ProtectionScene scene({100}, {});
  scene.write("zeros", std::string(300'000, '\0'));
  scene.write("half", std::string(100'000, 'a') + std::string(100'000, '\0'));
  scene.protect_again();
  const auto before = scene.snapshot();
  fs::remove(scene.base / "zeros");
  // One byte of `half` differs. A third file contains all that both need.
  scene.write("half", std::string(100'001, 'a') + std::string(99'999, '\0'));
  scene.write("other", "b" + std::string(5'000, '\0') + "c");
  const ProtectionCheck check = scene.check();
  CHECK(check.most_needed < 10);
  scene.restore();
  fs::remove(scene.base / "other");
  CHECK(without_kept(scene.snapshot()) == before);
}

TEST_CASE("A check lists the directories once, and what is new is told from that list") {
  const ProtectionScene scene({5'000, 5'000});
  for (const bool is_damaged : {false, true}) {
    CAPTURE(is_damaged);
    if (is_damaged) scene.write("f1", "other");
    scene.write("new", "new");
    const ProtectionCheck check = scene.check();
    scene.write("later", "later");
    const std::vector<std::string> unprotected =
        unprotected_files(scene.open(), check.found, scene.base);
    CHECK(unprotected == std::vector<std::string>{"new"});
    fs::remove(scene.base / "later");
  }
}

}  // namespace xorloom
