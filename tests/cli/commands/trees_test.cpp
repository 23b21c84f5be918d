// Several files, and directories, as one set.

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/tree_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// A folder with notes.txt and a small photos/, encoded into d.
struct EncodedTree {
  EncodedTree() {
    fs::create_directories(folder / "photos/empty");
    folder.write("photos/one", "one");
    folder.write("notes.txt", "notes");
    REQUIRE(
        xorloom({"encode", folder / "photos", folder / "notes.txt", "-o", folder / "d"}).status ==
        0);
    fs::create_directory(folder / "here");
  }

  Outcome decode_here(const std::string& more = {}) const {
    return shell("$xorloom decode ../d " + more, folder / "here");
  }

  TreeFolder folder;
};

/// A prefix with which root runs a line of shell as another user; empty if the tests are not run by
/// root.
std::string as_other_user() {
  return ::geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
}

/// Describes how a set of a crafted archive escapes its refusal. Empty: the refusal leaves nothing
/// behind, and the files beside it as they are.
std::string not_kept_inside(const std::vector<TarEntry>& entries) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "outside");
  folder.write("outside/secret", "secret");
  fs::create_directory(folder / "here");
  std::vector<TarEntry> crafted = entries;
  for (TarEntry& entry : crafted) {
    const std::string outside = folder / "outside";
    if (entry.name.starts_with("OUTSIDE")) entry.name.replace(0, 7, outside);
    if (entry.target.starts_with("OUTSIDE")) entry.target.replace(0, 7, outside);
  }
  encode_as_archive(folder / "d", tar_of(crafted));
  const Outcome outcome = shell("$xorloom decode ../d --force", folder / "here");
  if (outcome.status != 3) return "status " + std::to_string(outcome.status) + ": " + outcome.err;
  if (!has(outcome.err, "xorloom: error: ")) return outcome.err;
  if (!folder.names("here").empty()) return "something is there: " + folder.names("here").front();
  if (folder.names() != Names{"d", "here", "outside"}) return "something is beside it";
  if (folder.names("outside") != Names{"secret"} || folder.read("outside/secret") != "secret") {
    return "what is outside has changed";
  }
  struct stat secret {};
  if (::stat((folder / "outside/secret").c_str(), &secret) != 0 || secret.st_nlink != 1) {
    return "what is outside has another name";
  }
  return {};
}

}  // namespace

TEST_CASE("An archive of files is changed in place only as the one file that it is") {
  const EncodedTree tree;
  const std::string d = tree.folder / "d";
  tree.folder.write("part", "part");
  for (const std::vector<std::string>& change :
       {std::vector<std::string>{"append", d, tree.folder / "part"},
        {"patch", d, "--at", "0", tree.folder / "part"},
        {"truncate", d, "--length", "512"}}) {
    CAPTURE(change.front());
    const Outcome refused = xorloom(change);
    CHECK(refused.status == 2);
    CHECK(has(refused.err,
              "holds an archive of files, which a change of bytes may make impossible to unpack"));
    CHECK(has(refused.err, "; encode --replace writes a new archive, and --as-file changes"));
    CHECK(has(xorloom({change.front(), "--help"}).out, "archive of files"));
  }
  REQUIRE(tree.decode_here().status == 0);  // as it was
  CHECK(tree.folder.read("here/notes.txt") == "notes");
  CHECK(xorloom({"append", d, tree.folder / "part", "--as-file"}).status == 0);
  CHECK(xorloom({"decode", d, "-o", tree.folder / "back.tar"}).status == 0);
  const std::string archive = tree.folder.read("back.tar");
  CHECK(archive.substr(archive.size() - 4) == "part");
}

TEST_CASE("A directory and files come back as they were, with shards lost") {
  const TreeFolder folder;
  make_odd_tree(folder / "photos", 10'000'000);
  folder.write("notes.txt", "notes");
  const std::string before = listing(folder / "photos") + listing(folder / "notes.txt");
  const Outcome encoded = shell("$xorloom encode photos notes.txt -o d1 -o d2", folder.path());
  INFO(encoded.err);
  REQUIRE(encoded.status == 0);
  CHECK(has(encoded.err, ", an archive of 21 entries, into 14 shards in d1, d2"));
  CHECK(listing(folder / "photos") + listing(folder / "notes.txt") == before);
  REQUIRE(
      shell("rm d1/*-00.shard d1/*-04.shard d2/*-01.shard d2/*-13.shard", folder.path()).status ==
      0);
  fs::create_directory(folder / "here");
  const Outcome decoded = shell("$xorloom decode ../d1 ../d2", folder / "here");
  INFO(decoded.err);
  CHECK(decoded.status == 0);
  CHECK(has(decoded.err, ", an archive of 21 entries, to notes.txt, photos of set "));
  CHECK(folder.names("here") == Names{"notes.txt", "photos"});
  CHECK(listing(folder / "here/photos") + listing(folder / "here/notes.txt") == before);
}

TEST_CASE("The same files give the same archive, whatever the locale, and tar unpacks it") {
  const TreeFolder folder;
  make_odd_tree(folder / "photos", 1000);
  // tar and libarchive differ on fractions of a second before 1970.
  REQUIRE(shell("touch -d @-300000000 photos/empty", folder.path()).status == 0);
  const auto archive_in = [&](const std::string& locale, const std::string& name) {
    const Outcome outcome = shell("export LC_ALL=" + locale + "\n$xorloom encode photos -o " +
                                      name + " && $xorloom decode " + name + " -o " + name + ".tar",
                                  folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return folder.read(name + ".tar");
  };
  const std::string archive = archive_in("C", "c");
  CHECK(archive.size() % 512 == 0);
  CHECK(archive == archive_in("C.UTF-8", "utf"));
  fs::create_directory(folder / "tar");
  REQUIRE(shell("tar xpf ../c.tar 2> ../log", folder / "tar").status == 0);
  CHECK(listing(folder / "tar/photos") == listing(folder / "photos"));
}

TEST_CASE("-o names a directory, an archive, or standard output") {
  const EncodedTree scene;
  const TemporaryFolder& folder = scene.folder;
  CHECK(scene.decode_here("-o ../here/").status == 0);
  CHECK(folder.names("here") == Names{"notes.txt", "photos"});
  CHECK(scene.decode_here("-o new/").status == 0);
  CHECK(folder.names("here/new") == Names{"notes.txt", "photos"});
  CHECK(folder.names("here/new/photos") == Names{"empty", "one"});
  fs::create_directory_symlink("new", folder / "here/link");
  CHECK(has(scene.decode_here("-o link").err, "link/notes.txt is there already"));
  CHECK(scene.decode_here("-o back.tar").status == 0);
  CHECK(shell("tar tf back.tar", folder / "here").out ==
        "notes.txt\nphotos/\nphotos/empty/\nphotos/one\n");
  CHECK(scene.decode_here("-o - | cmp - back.tar").status == 0);
  CHECK(scene.decode_here("-o begin --bytes 0-511").status == 0);
  CHECK(folder.read("here/begin") == folder.read("here/back.tar").substr(0, 512));
  CHECK(not_refused(scene.decode_here("-o new/ --bytes 0-9"),
                    "--bytes needs -o FILE: a part is not the file") == "");
  CHECK(not_refused(scene.decode_here("--bytes 0-9"), "--bytes needs -o: a part is not the file") ==
        "");
  for (const char* const to : {"", "-o new/"}) {
    CHECK(not_refused(scene.decode_here(std::string("--salvage ") + to),
                      "--salvage of an archive of files needs -o FILE: it writes the archive, with "
                      "zeros") == "");
  }
  CHECK(has(scene.decode_here("-o no/such/").err, "cannot make the directory "));
  CHECK(!fs::exists(folder / "here/no"));
}

TEST_CASE("One file goes into a directory that -o names, under its own name") {
  const TemporaryFolder folder;
  folder.write("file", "content");
  fs::permissions(folder / "file", fs::perms{0600});
  REQUIRE(shell("$xorloom encode file -o d", folder.path()).status == 0);
  CHECK(!has(shell("$xorloom info d", folder.path()).out, "archive"));
  const Outcome decoded = shell("$xorloom decode d -o to/", folder.path());
  CHECK(decoded.status == 0);
  CHECK(has(decoded.err, "decoded 7 bytes to to/file of set "));
  CHECK(folder.read("to/file") == "content");
  CHECK(fs::status(folder / "to/file").permissions() == fs::perms{0600});
  CHECK(not_refused(shell("$xorloom decode d -o to", folder.path()),
                    "to/file is there already: --force replaces it, and -o gives another name") ==
        "");
  CHECK(shell("$xorloom decode d -o to --force", folder.path()).status == 0);
  REQUIRE(shell("$xorloom encode file -o e --no-name", folder.path()).status == 0);
  const Outcome nameless = shell("$xorloom decode e -o none/", folder.path());
  CHECK(nameless.status == 2);
  CHECK(has(nameless.err, "does not remember the name of its file: say it with -o FILE"));
  CHECK(!fs::exists(folder / "none"));
}

TEST_CASE("What is there is replaced as a whole, and only with --force") {
  const EncodedTree scene;
  const TreeFolder& folder = scene.folder;
  fs::create_directory(folder / "here/photos");
  folder.write("here/photos/mine", "mine");
  CHECK(not_refused(scene.decode_here(),
                    "photos is there already: --force replaces it, and -o gives another name") ==
        "");
  CHECK(folder.names("here") == Names{"photos"});
  CHECK(folder.read("here/photos/mine") == "mine");
  fs::permissions(folder / "here/photos", fs::perms{0555});
  CHECK(scene.decode_here("--force").status == 0);
  CHECK(folder.names("here") == Names{"notes.txt", "photos"});
  CHECK(folder.names("here/photos") == Names{"empty", "one"});
  // A link is replaced, and not what it leads to.
  fs::remove(folder / "here/notes.txt");
  fs::create_symlink("../notes.txt", folder / "here/notes.txt");
  folder.write("notes.txt", "other");
  CHECK(scene.decode_here("--force").status == 0);
  CHECK(folder.read("here/notes.txt") == "notes");
  CHECK(folder.read("notes.txt") == "other");
  // Nor does decode replace the shards that it reads.
  fs::rename(folder / "d", folder / "here/photos/d");
  const Outcome own = shell("$xorloom decode photos/d --force", folder / "here");
  CHECK(not_refused(own, "photos has shards in it, and decode must not replace it") == "");
  CHECK(folder.names("here/photos/d").size() == 14);
}

TEST_CASE("Names of arguments are their own, and what cannot be stored is refused") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a/photos/in");
  fs::create_directories(folder / "b/photos");
  folder.write("a/photos/one", "one");
  folder.write("b/two", "two");
  const auto encode = [&](const std::string& arguments) {
    return shell("$xorloom encode " + arguments, folder / "b");
  };
  const auto names_of = [&](const std::string& arguments) {
    const Outcome encoded = encode(arguments + " -o ../d --replace");
    INFO(encoded.err);
    REQUIRE(encoded.status == 0);
    return shell("$xorloom decode ../d -o - 2> /dev/null | tar tf -", folder / "b").out;
  };
  CHECK(names_of("two ../a/photos/") == "photos/\nphotos/in/\nphotos/one\ntwo\n");
  CHECK(names_of("../a/photos/in/..") == "photos/\nphotos/in/\nphotos/one\n");
  CHECK(names_of(".") == "b/\nb/photos/\nb/two\n");
  CHECK(names_of("../a/photos/one two") == "one\ntwo\n");
  // A link that is named is what it leads to.
  fs::create_directory_symlink("../a/photos", folder / "b/link");
  CHECK(names_of("link") == "link/\nlink/in/\nlink/one\n");
  const auto refused = [&](const std::string& arguments, const std::string& sentence) {
    const Outcome outcome = encode(arguments + " -o ../e");
    CHECK(not_refused(outcome, sentence) == "");
    CHECK(!fs::exists(folder / "e"));
  };
  refused("photos ../a/photos", "photos and ../a/photos both have the name 'photos'");
  refused("two two", "two and two both have the name 'two'");
  refused("two -", "standard input, -, cannot be one of several files");
  refused("two /", "/ has no name of its own");
  refused("two missing", "cannot read missing: No such file or directory");
  refused("two /dev/null",
          "/dev/null is neither a file nor a directory, and cannot be one of several files");
  refused("two photos --raw --code rs:2,1", "--raw takes one FILE, not 2");
  for (const char* const inside : {"photos", "photos/new", "photos/../photos/in"}) {
    const std::string arguments = std::string("photos -o ") + inside;
    CHECK(not_refused(
              encode(arguments),
              std::string(inside) + " for the shards is in photos, which is to be encoded") == "");
  }
  CHECK(folder.names("b/photos").empty());
  // A shard that --replace would remove is not one of the files, as it is not the file.
  const std::string shard = "../d/" + folder.names("d").front();
  const Outcome own = encode("two " + shard + " -o ../d --replace");
  CHECK(own.status == 2);
  CHECK(has(own.err, "that would be replaced"));
}

TEST_CASE("What cannot be read is an error that leaves nothing, and pipes are left out") {
  const TemporaryFolder folder;
  REQUIRE(shell("mkdir photos; echo one > photos/one; mkfifo photos/pipe", folder.path()).status ==
          0);
  const Outcome encoded = shell("$xorloom encode photos -o d", folder.path());
  CHECK(encoded.status == 0);
  CHECK(has(encoded.err, "left out: photos/pipe: it is a pipe\n"));
  CHECK(has(encoded.err, ", an archive of 2 entries,"));
  // A file that grows for as long as it is read.
  const Outcome growing = shell(
      "truncate -s 300M photos/one; (while :; do echo more >> photos/one; done) & writer=$!\n"
      "$xorloom encode photos -o e; status=$?; kill $writer; exit $status",
      folder.path());
  CHECK(not_refused(growing, "cannot read photos/one: it was changed in the meantime") == "");
  CHECK(!fs::exists(folder / "e"));
  REQUIRE(shell("echo one > photos/one; chmod 0 photos/one; chmod 777 .", folder.path()).status ==
          0);
  const Outcome forbidden = shell(as_other_user() + "$xorloom encode photos -o e", folder.path());
  if (has(forbidden.err, "setpriv")) {
    MESSAGE("SKIPPED: no other user can be had");
    return;
  }
  CHECK(not_refused(forbidden, "cannot read photos/one: Permission denied") == "");
  CHECK(!fs::exists(folder / "e"));
}

TEST_CASE("Another user than root gets directories back in which nobody may write") {
  const TreeFolder folder;
  make_odd_tree(folder / "photos", 1000);
  fs::permissions(folder / "photos", fs::perms{0555});
  const std::string before = listing(folder / "photos");
  REQUIRE(
      shell("$xorloom encode photos -o d; chmod 644 d/*; chmod 777 .; mkdir here; chmod 777 here",
            folder.path())
          .status == 0);
  for (const char* const more : {"", " --force"}) {
    const Outcome decoded = shell(as_other_user() + "$xorloom decode ../d" + more, folder / "here");
    if (has(decoded.err, "setpriv")) {
      MESSAGE("SKIPPED: no other user can be had");
      return;
    }
    INFO(decoded.err);
    CHECK(decoded.status == 0);
    CHECK(listing(folder / "here/photos") == before);
    CHECK(folder.names("here") == Names{"photos"});
  }
}

TEST_CASE("info and verify say that the content is an archive of files") {
  const EncodedTree scene;
  const std::string d = scene.folder / "d";
  const std::string info = xorloom({"info", d}).out;
  CHECK(has(info, "name        photos.tar\n"));
  CHECK(has(info, "content     an archive of files\n"));
  CHECK(has(xorloom({"info", d, "--format", "json"}).out, "\"archive_of_files\": true"));
  CHECK(has(xorloom({"verify", d}).out, "content     an archive of files\n"));
  CHECK(has(xorloom({"verify", d, "--format", "json"}).out, "\"archive_of_files\": true"));
  // It stays marked as an archive when converted to another code (in place or not), without a name,
  // and after a repair.
  const Outcome in_place = xorloom({"convert", d, "--code", "cauchy-good:k=10,m=5,w=8"});
  CHECK(has(in_place.err, "the data shards stay"));
  CHECK(has(xorloom({"info", d}).out, "content     an archive of files\n"));
  REQUIRE(xorloom({"convert", d, "--code", "rs:4,2"}).status == 0);
  fs::remove(scene.folder / ("d/" + scene.folder.names("d").front()));
  REQUIRE(xorloom({"repair", d}).status == 0);
  CHECK(has(xorloom({"info", d}).out, "content     an archive of files\n"));
  CHECK(scene.decode_here().status == 0);
  CHECK(scene.folder.names("here") == Names{"notes.txt", "photos"});
  const std::string e = scene.folder / "e";
  REQUIRE(xorloom({"encode", scene.folder / "photos", "-o", e, "--no-name"}).status == 0);
  CHECK(!has(xorloom({"info", e}).out, "name  "));
  CHECK(xorloom({"decode", e, "-o", scene.folder / "from-e/"}).status == 0);
  CHECK(scene.folder.names("from-e") == Names{"photos"});
}

TEST_CASE("Lost stripes leave nothing, and --salvage writes the archive") {
  const EncodedTree scene;
  const TemporaryFolder& folder = scene.folder;
  REQUIRE(shell("rm d/*-0[0-4].shard", folder.path()).status == 0);
  const Outcome lost = scene.decode_here();
  CHECK(lost.status == 3);
  CHECK(has(lost.err, "cannot be recovered"));
  CHECK(scene.decode_here("-o new/").status == 3);
  CHECK(folder.names("here").empty());
  CHECK(scene.decode_here("--salvage -o back.tar").status == 3);
  CHECK(folder.names("here") == Names{"back.tar"});
}

TEST_CASE("What is no archive, or was cut, is refused and leaves nothing") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "here");
  const std::string whole =
      tar_of({{"one", '0', "", "1"}, {"two", '0', "", std::string(600, '2')}});
  const auto decode = [&](const std::string& content) {
    fs::remove_all(folder / "d");
    encode_as_archive(folder / "d", content);
    return shell("$xorloom decode ../d", folder / "here");
  };
  for (const std::string& content :
       {std::string(), std::string("no archive"), random_bytes(3000, 1), whole.substr(0, 700),
        whole.substr(0, 1024), whole.substr(0, 1536), whole.substr(0, whole.size() - 1024)}) {
    CAPTURE(content.size());
    const Outcome outcome = decode(content);
    INFO(outcome.err);
    CHECK(outcome.status == 3);
    CHECK(folder.names("here").empty());
  }
  CHECK(decode(whole).status == 0);
  CHECK(folder.names("here") == Names{"one", "two"});
}

TEST_CASE("A crafted archive writes nothing outside of its destination") {
  const TarEntry file{"x", '0', "", "evil"};
  const auto named = [&](const std::string& name) { return TarEntry{name, '0', "", "evil"}; };
  CHECK(not_kept_inside({named("../x")}) == "");
  CHECK(not_kept_inside({file, named("a/../../outside/secret")}) == "");
  CHECK(not_kept_inside({named("OUTSIDE/secret")}) == "");
  CHECK(not_kept_inside({named("..")}) == "");
  CHECK(not_kept_inside({{"../outside", '5'}}) == "");
  // Through a symbolic link, to a directory or a file, made by the archive itself.
  CHECK(not_kept_inside({{"link", '2', "OUTSIDE"}, named("link/secret")}) == "");
  CHECK(not_kept_inside({{"link", '2', "../../../../outside"}, named("link/new")}) == "");
  CHECK(not_kept_inside({{"a", '5'}, {"a/up", '2', ".."}, named("a/up/../../x")}) == "");
  CHECK(not_kept_inside({{"link", '2', "OUTSIDE"}, {"link/made", '5'}}) == "");
  CHECK(not_kept_inside({{"link", '2', "OUTSIDE"}, {"link/sub", '2', "x"}}) == "");
  // Hard links to what is outside, by its path or through a link.
  CHECK(not_kept_inside({{"hard", '1', "OUTSIDE/secret"}}) == "");
  CHECK(not_kept_inside({{"hard", '1', "../../../outside/secret"}}) == "");
  CHECK(not_kept_inside({{"link", '2', "OUTSIDE"}, {"hard", '1', "link/secret"}}) == "");
}

TEST_CASE("A file in the place of a link replaces the link, and devices and rights are left out") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "here");
  folder.write("secret", "secret");
  encode_as_archive(folder / "d", tar_of({{"link", '2', folder / "secret"},
                                          {"link", '0', "", "in place of it"},
                                          {"./rights", '0', "", "r", 06755},
                                          {"sticky", '5', "", "", 01777},
                                          {"device", '3'},
                                          {"./", '5', "", "", 0777}}));
  const Outcome outcome = shell("$xorloom decode ../d", folder / "here");
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(has(outcome.err, "left out: device: it is no file, directory or link\n"));
  CHECK(folder.names("here") == Names{"link", "rights", "sticky"});
  CHECK(folder.read("secret") == "secret");
  CHECK(folder.read("here/link") == "in place of it");
  CHECK(fs::status(folder / "here/rights").permissions() == fs::perms{0755});
  CHECK(fs::status(folder / "here/sticky").permissions() == fs::perms{01777});
}

TEST_CASE("An archive brings nothing that the next decode would take for its own") {
  const TreeFolder folder;
  fs::create_directories(folder / "docs");
  fs::create_directories(folder / "here");
  write_file(folder / "docs/thesis", "thesis");
  const std::string hidden = ".tree.xorloom-output-0123456789abcdef";
  encode_as_archive(folder / "set", tar_of({{hidden, '5', {}, {}, 0755},
                                            {hidden + "/old", '2', "../../docs"},
                                            {"d/.xorloom.lock"},
                                            {"d/x"},
                                            {"hello"}}));
  encode_as_archive(folder / "next", tar_of({{"innocent"}}));
  const Outcome decoded = shell("$xorloom decode ../set", folder / "here");
  CHECK(decoded.status == 0);
  CHECK(has(decoded.err, "left out: " + hidden));
  CHECK(folder.names("here") == Names{"d", "hello"});
  // Somebody else may have put it there.
  fs::create_directories(folder / ("here/" + hidden));
  fs::create_directory_symlink("../../docs", folder / ("here/" + hidden + "/old"));
  CHECK(shell("$xorloom decode ../next", folder / "here").status == 0);
  CHECK(folder.read("docs/thesis") == "thesis");
  CHECK(folder.names("here") == Names{"d", "hello", "innocent"});
  // Nor does an encoded tree have any.
  fs::create_directories(folder / ("tree/" + hidden));
  write_file(folder / "tree/a", "a");
  CHECK(has(shell("$xorloom encode tree -o shards", folder.path()).err,
            "its name is that of an unfinished file"));
  CHECK(shell("$xorloom decode ../shards", folder / "here").status == 0);
  CHECK(folder.names("here/tree") == Names{"a"});
}

}  // namespace xorloom::test
