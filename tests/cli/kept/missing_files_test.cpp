// Files and directories that are gone: removed by mistake, on a disk that is not mounted, or on
// purpose.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

/// Two directories of files in a named one, and one file in another.
struct Albums {
  Albums() {
    for (const char* const name : {"d/x/1", "d/x/2", "d/x/y/3", "d/z/4", "d/z/5", "d/6", "e/7"}) {
      fs::create_directories((folder / name).substr(0, (folder / name).rfind('/')));
      write_file(folder / name, random_bytes(20'000, ++seed));
    }
    REQUIRE(run("$xorloom protect d e -o p --redundancy 60% && cp p before").status == 0);
  }
  Outcome run(const std::string& line) const {
    return shell("refused() { \"$@\" 2> err; s=$?; cat err; cmp p before && exit $s; }\n" + line,
                 folder.path());
  }
  std::uint32_t seed = 0;
  TemporaryFolder folder;
};

constexpr const char* kWays[] = {"--update", "d e --replace"};

}  // namespace

TEST_CASE("A directory whose files are all gone is not given up unless that is accepted") {
  for (const std::string way : kWays) {
    CAPTURE(way);
    const Albums albums;
    const Outcome refused = albums.run("mv d/x away; refused $xorloom protect -o p " + way);
    CHECK(refused.status == 4);
    CHECK(has(refused.out,
              "d/x: all 3 files are gone; nothing was changed; repair p restores them; "
              "--accept-missing gives them up\n"));
    // Other files do not stand for the protected ones, and directories are counted.
    const Outcome two = albums.run(
        "mkdir d/x; touch d/x/.Trash; rm d/z/*; refused $xorloom "
        "protect -o p " +
        way);
    CHECK(two.status == 4);
    CHECK(has(two.out, "d/x: all 3 files are gone, and so are those of one more directory; "));
    CHECK(albums.run("$xorloom protect --accept-missing -o p " + way + " && $xorloom verify p")
              .status == 0);
  }
}

TEST_CASE("A stray file in the place of a named directory's files does not stand for these") {
  for (const std::string way : kWays) {
    CAPTURE(way);
    const Albums albums;
    const Outcome refused =
        albums.run("mv e/7 away; touch e/.Trash; refused $xorloom protect -o p " + way);
    CHECK(refused.status == 4);
    CHECK(has(refused.out,
              "e: the only file is gone; nothing was changed; if a disk is not "
              "mounted, --base says where it is; "));
  }
  const Albums albums;
  const Outcome empty = albums.run(
      "mv d dd; mv e ee; mkdir d e; refused $xorloom protect "
      "--update -o p");
  CHECK(empty.status == 4);
  CHECK(has(empty.out, "d: all 6 files are gone, and so are those of one more directory; "));
  CHECK(albums.run("rmdir d; refused $xorloom protect --update -o p").status == 4);
}

TEST_CASE("What was renamed, moved, excluded or deleted alone is not missing") {
  for (const std::string way : kWays) {
    CAPTURE(way);
    const Albums albums;
    CHECK(albums.run("mv d/x d/w; $xorloom protect -o p " + way).status == 0);
    CHECK(albums.run("mv d/z/4 d/four; mv d/z/5 d/five; $xorloom protect -o p " + way).status == 0);
    CHECK(albums.run("rm d/w/1; $xorloom protect -o p " + way).status == 0);
    CHECK(albums.run("$xorloom protect --exclude w -o p " + way).status == 0);
  }
  const Albums albums;
  CHECK(albums.run("$xorloom protect d -o q --accept-missing").status == 2);
}

}  // namespace xorloom::test
