// Files made from a file have at most its permissions.

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr mode_t kPrivate = 0600;

/// A folder with a file that only its owner and a group may read, and commands run in it.
class Scene {
 public:
  explicit Scene(mode_t permissions) {
    folder.write("file", random_bytes(100'000, 3));
    ::chmod((folder / "file").c_str(), permissions);
  }

  void run(const std::string& line, int status = 0) const {
    CAPTURE(line);
    const Outcome outcome = shell("umask 022; " + line, folder.path());
    CHECK_MESSAGE(outcome.status == status, outcome.err);
  }

  /// "0600" for the permissions of all files of a folder; all of them, if they differ.
  std::string modes(const std::string& directory) const {
    std::string text;
    for (const std::string& name : folder.names(directory)) {
      const std::string each = mode(directory + "/" + name);
      if (text.find(each) == std::string::npos) text += (text.empty() ? "" : " ") + each;
    }
    return text;
  }
  std::string mode(const std::string& name) const {
    struct stat status {};
    if (::stat((folder / name).c_str(), &status) != 0) return "none";
    return fmt::format("{:04o}", status.st_mode & 07777U);
  }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("Shards and what is decoded from them allow at most what the file does") {
  const std::vector<std::pair<mode_t, std::string>> modes = {
      {kPrivate, "0600"}, {0640, "0640"}, {0444, "0644"}, {0755, "0644"}, {0666, "0644"}};
  for (const auto& each : modes) {
    const std::string& wanted = each.second;
    CAPTURE(wanted);
    const Scene scene(each.first);
    scene.run("$xorloom encode file -o d -k 4 -m 2");
    CHECK(scene.modes("d") == wanted);
    scene.run("$xorloom decode d -o back");
    CHECK(scene.mode("back") == wanted);
    scene.run("$xorloom decode d -o part --bytes 0-9");
    CHECK(scene.mode("part") == wanted);
    scene.run("$xorloom encode - < file -o unnamed -k 4 -m 2");
    CHECK(scene.modes("unnamed") == wanted);
    scene.run("$xorloom decode unnamed -o again");
    CHECK(scene.mode("again") == wanted);
  }
}

TEST_CASE("A file that comes through a pipe, of which nothing is known, makes usual files") {
  const Scene scene(kPrivate);
  scene.run("cat file | $xorloom encode - -o d -k 4 -m 2");
  CHECK(scene.modes("d") == "0644");
}

TEST_CASE("An output that is there is not left wider than the file was") {
  const Scene scene(kPrivate);
  scene.run("$xorloom encode file -o d -k 4 -m 2; touch back; chmod 666 back");
  scene.run("$xorloom decode d -o back");
  CHECK(scene.mode("back") == "0600");
}

TEST_CASE("What repair, convert, patch and append write allows at most what the shards do") {
  const Scene scene(kPrivate);
  scene.run("$xorloom encode file -o d -k 4 -m 2");
  scene.run("rm d/*-2.shard d/*-5.shard; $xorloom repair d; $xorloom verify d");
  CHECK(scene.modes("d") == "0600");
  scene.run("rm d/*-2.shard; $xorloom repair d --to to");
  CHECK(scene.modes("to") == "0600");
  scene.run("$xorloom append d file; $xorloom patch d --at 7 file");
  CHECK(scene.modes("d") == "0600");
  scene.run("$xorloom convert d to --code cauchy-good:4,3");
  CHECK(scene.modes("d") == "0600");
  scene.run("$xorloom convert d to --code rs:3,2");
  CHECK(scene.modes("d") == "0600");
  CHECK(scene.modes("to") == "0600");
}

TEST_CASE("Chunk files allow at most what the file does, and so does what is made of them") {
  const Scene scene(kPrivate);
  const std::string raw = " --raw --code rs:4,2";
  scene.run("$xorloom encode file -o d" + raw);
  CHECK(scene.modes("d") == "0600");
  scene.run("rm d/2 d/5; $xorloom repair d" + raw);
  CHECK(scene.modes("d") == "0600");
  scene.run("$xorloom decode d -o back --length 100000" + raw);
  CHECK(scene.mode("back") == "0600");
  scene.run("printf x | dd of=d/3 conv=notrunc; $xorloom repair d --deep --assume-wrong 1" + raw);
  CHECK(scene.mode("d/3.before-deep-repair") == "0600");
  CHECK(scene.modes("d") == "0600");
  scene.run("chmod 644 d/*; $xorloom encode file -o d --replace" + raw);
  CHECK(scene.mode("d/0") == "0600");
}

TEST_CASE("The shards of a directory allow at most what all files and directories in it do") {
  const Scene scene(0644);
  scene.run("mkdir tree; mv file tree; $xorloom encode tree -o public -k 4 -m 2");
  CHECK(scene.modes("public") == "0644");
  scene.run("mkdir -p tree/in/side; touch tree/in/side/more; chmod 750 tree/in");
  scene.run("$xorloom encode tree -o some -k 4 -m 2");
  CHECK(scene.modes("some") == "0640");
  scene.run("chmod 600 tree/in/side/more; $xorloom encode tree -o d -k 4 -m 2");
  CHECK(scene.modes("d") == "0600");
  scene.run("$xorloom decode d -o archive");
  CHECK(scene.mode("archive") == "0600");
  scene.run("$xorloom decode d -o back/");
  CHECK(scene.mode("back/tree/file") == "0644");
}

TEST_CASE("A protection file allows at most what the files and directories that it protects do") {
  const Scene scene(0644);
  scene.run("mkdir tree; mv file tree; $xorloom protect tree -o public.xorloom");
  CHECK(scene.mode("public.xorloom") == "0644");
  scene.run("cp tree/file tree/more; chmod 640 tree/more; $xorloom protect tree -o some.xorloom");
  CHECK(scene.mode("some.xorloom") == "0640");
  scene.run("chmod 711 tree; $xorloom protect tree -o private.xorloom");
  CHECK(scene.mode("private.xorloom") == "0600");
  scene.run("$xorloom protect tree -o public.xorloom --replace");
  CHECK(scene.mode("public.xorloom") == "0600");
  scene.run("rm tree/more; $xorloom repair private.xorloom");
  CHECK(scene.mode("tree/more") == "0640");
}

}  // namespace xorloom::test
