// Files that an earlier version of the program wrote, in tests/data/written_before: they are still
// read.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

const std::string kOld = std::string(XORLOOM_TEST_DATA) + "/written_before";

/// A copy of a folder of old files, without the files of two locations.
void copy_with_two_lost(const std::string& name, const TemporaryFolder& folder) {
  std::filesystem::create_directory(folder / name);  // the source may be read-only, and a copy too
  std::filesystem::copy(kOld + "/" + name, folder / name);
  std::vector<std::string> files = folder.names(name);
  REQUIRE(files.size() >= 4);
  std::filesystem::remove(folder / (name + "/" + files[0]));
  std::filesystem::remove(folder / (name + "/" + files[2]));
}

TEST_CASE("old shards on packets and words are decoded, verified and repaired") {
  for (const std::string name : {"packets", "words"}) {
    CAPTURE(name);
    CHECK(xorloom({"verify", kOld + "/" + name}).status == 0);
    const TemporaryFolder folder;
    copy_with_two_lost(name, folder);
    CHECK(xorloom({"decode", folder / name, "-o", folder / "file"}).status == 0);
    CHECK(folder.read("file") == read_file(kOld + "/file"));
    CHECK(xorloom({"repair", folder / name}).status == 0);
    for (const std::string& file : folder.names(name)) {
      CAPTURE(file);
      CHECK(folder.read(name + "/" + file) == read_file(kOld + "/" + name + "/" + file));
    }
    CHECK(folder.names(name).size() == (name == "packets" ? 5 : 4));
  }
}

/// The file as old changes in place left it.
std::string old_changed_file() {
  std::string content = read_file(kOld + "/file");
  content.replace(10, 5, "first").replace(400, 6, "second");
  return content;
}

TEST_CASE("old sets that were changed in place are read, changed, and then tell lost writes") {
  for (const std::string name : {"changed", "interrupted"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    const auto run = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.begin() + 1, folder / name);
      const Outcome outcome = xorloom(arguments);
      CAPTURE(outcome.err);
      CHECK(outcome.status == 0);
    };
    std::filesystem::create_directory(folder / name);
    std::filesystem::copy(kOld + "/" + name, folder / name);
    std::string content = old_changed_file();
    if (name == "interrupted") content.replace(700, 5, "third");
    run({"verify", "--deep"});
    run({"decode", "-o", folder / "file"});
    CHECK(folder.read("file") == content);
    folder.write("part", "fourth");
    run({"patch", "--at", "20", folder / "part"});
    content.replace(20, 6, "fourth");
    run({"verify", "--deep"});
    run({"decode", "-o", folder / "file"});
    CHECK(folder.read("file") == content);
    CHECK(folder.names(name).size() == 5);
    for (const std::string& shard : folder.names(name)) {
      CAPTURE(shard);
      const std::string path = name + "/" + shard;
      const std::string before = folder.read(path);
      folder.write("part", "fifth " + shard);
      run({"patch", "--at", "340", folder / "part"});
      content.replace(340, 6 + shard.size(), "fifth " + shard);
      // The block comes back as it was.
      std::string after = folder.read(path);
      const std::size_t header = 256;
      const std::size_t lineage = 4096;
      REQUIRE(after.size() > 2 * header + lineage);
      const std::size_t block = after.size() - 2 * header - lineage;
      folder.write(path, after.replace(header, block, before.substr(header, block)));
      CHECK(xorloom({"verify", folder / name}).status == 1);
      run({"decode", "-o", folder / "file"});
      CHECK(folder.read("file") == content);
      run({"repair"});
      run({"verify", "--deep"});
    }
  }
}

TEST_CASE("old raw chunks are decoded, and new ones are the same bytes") {
  const TemporaryFolder folder;
  copy_with_two_lost("raw", folder);
  const std::string spec = "rs:k=3,m=2";
  CHECK(xorloom({"decode", folder / "raw", "--raw", "--code", spec, "--length", "1000", "-o",
                 folder / "file"})
            .status == 0);
  CHECK(folder.read("file") == read_file(kOld + "/file"));
  CHECK(
      xorloom({"encode", kOld + "/file", "--raw", "--code", spec, "-o", folder / "again"}).status ==
      0);
  for (const std::string& file : folder.names("again")) {
    CAPTURE(file);
    CHECK(folder.read("again/" + file) == read_file(kOld + "/raw/" + file));
  }
}

TEST_CASE("old equations are read as JSON and as text, and new ones are the same text") {
  const std::string spec = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";
  for (const char* name : {"equations.json", "equations.txt"}) {
    CAPTURE(name);
    CHECK(xorloom({"report", spec, "--equations", kOld + "/" + name}).status == 0);
  }
  const Outcome again = xorloom({"equations", spec, "--style", "iterative", "--effort", "fast"});
  CHECK(again.out == read_file(kOld + "/equations.txt"));
}

TEST_CASE("an old atlas is used, and one made again gives the same shards") {
  const std::string spec = "cauchy-good:k=3,m=2,w=3,packet_bytes=32";
  const TemporaryFolder folder;
  REQUIRE(xorloom({"atlas", spec, "--effort", "fast", "-o", folder / "atlas"}).status == 0);
  const auto shards_by = [&](const std::string& atlas, const std::string& name) {
    REQUIRE(xorloom({"encode", kOld + "/file", "--code", spec, "--raw", "--atlas", atlas, "-o",
                     folder / name})
                .status == 0);
    std::string bytes;
    for (const std::string& shard : folder.names(name)) {
      bytes += shard + read_file(folder / name + "/" + shard);
    }
    return bytes;
  };
  const std::string old = shards_by(kOld + "/atlas", "old");
  CHECK(old.size() > 1000);
  CHECK(old == shards_by(folder / "atlas", "new"));
}

TEST_CASE(
    "an old library, old wisdom and old atlases are found by --store and by their old names") {
  const std::string spec = "cauchy-good:k=6,m=3,w=4";
  const TemporaryFolder folder;
  std::filesystem::copy(kOld + "/library", folder / "library");
  for (const char* option : {"--store", "--library"}) {
    CAPTURE(option);
    const auto found = [&](std::vector<std::string> call, const std::string& count) {
      call.insert(call.end(), {"--effort", "fast", option, folder / "library"});
      const Outcome outcome = xorloom(call);
      CHECK(outcome.status == 0);
      CHECK(outcome.err.ends_with(": " + count + ", from " + (folder / "library") + "\n"));
    };
    found({"equations", spec, "--style", "iterative"}, "50 XORs");
    found({"equations", spec, "--style", "iterative", "--erase", "0,3"}, "44 XORs");
    found({"equations", spec, "--style", "iterative", "--cores", "2"}, "55 XORs in 28 steps");
    found({"optimize", kOld + "/matrix.txt"}, "4 XORs");
  }
  std::filesystem::copy(kOld + "/wisdom", folder / "wisdom",
                        std::filesystem::copy_options::recursive);
  for (const char* option : {"--store", "--wisdom"}) {
    CAPTURE(option);
    const Outcome fast = xorloom({"equations", "cauchy-good:k=5,m=2,w=5", "--style", "iterative",
                                  "--effort", "fast", "--store", folder / "wisdom"});
    CHECK(has(fast.err, ", from " + (folder / "wisdom")));
    const Outcome explained = xorloom({"bench", "cauchy-good:k=5,m=2,w=5", "--explain", "--effort",
                                       "quick", "--isa", "avx2", option, folder / "wisdom"});
    if (explained.status != 0) continue;  // this machine has no AVX2
    CHECK(has(explained.out, "encode: quick, searched before"));
  }
  for (const char* option : {"--store", "--atlas"}) {
    CAPTURE(option);
    CHECK(xorloom({"encode", kOld + "/file", "--code", "rs:k=3,m=2", "--raw", option,
                   kOld + "/word-atlas", "-o", folder / option})
              .status == 0);
  }
}

}  // namespace
}  // namespace xorloom::test
