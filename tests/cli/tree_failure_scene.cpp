#include "tests/cli/tree_failure_scene.hpp"

#include <doctest/doctest.h>

#include "tests/cli/program.hpp"
#include "tests/cli/tree_scene.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

}  // namespace

TreeFailureScene::TreeFailureScene(std::size_t large_bytes) {
  make_odd_tree(folder_ / "photos", large_bytes);
  folder_.write("notes.txt", "new");
  photos_ = listing(folder_ / "photos");
  REQUIRE(xorloom(encode_to("set")).status == 0);
  prepare();
}

Names TreeFailureScene::encode_to(const std::string& name) const {
  return {"encode", folder_ / "photos", folder_ / "notes.txt", "-o", folder_ / name};
}

Names TreeFailureScene::decode_to(const std::string& name) const {
  return {"decode", folder_ / "set", "-o", folder_ / name, "--force"};
}

void TreeFailureScene::prepare() const {
  for (const char* const name : {"to", "new", "encoded"}) remove_all_of(folder_ / name);
  fs::create_directories(folder_ / "to/photos/old");
  folder_.write("to/photos/file", "old");
  fs::permissions(folder_ / "to/photos/old", fs::perms{0555});
  folder_.write("to/notes.txt", "old");
}

bool TreeFailureScene::has_old() const {
  return folder_.names("to/photos") == Names{"file", "old"} &&
         folder_.read("to/photos/file") == "old" && folder_.names("to/photos/old").empty();
}

bool TreeFailureScene::is_as_before() const {
  return folder_.names("to") == Names{"notes.txt", "photos"} && has_old() &&
         folder_.read("to/notes.txt") == "old" && !fs::exists(folder_ / "new");
}

std::string TreeFailureScene::flaw_of_replaced() const {
  if (!has_old() && listing(folder_ / "to/photos") != photos_) return "a half tree";
  const std::string notes = folder_.read("to/notes.txt");
  if (notes != "old" && notes != "new") return "notes.txt has '" + notes + "'";
  const Outcome next = xorloom(decode_to("to"));
  return next.status != 0 ? next.err : flaw_of_whole("to");
}

std::string TreeFailureScene::flaw_of_made() const {
  if (fs::exists(folder_ / "new/photos") && listing(folder_ / "new/photos") != photos_) {
    return "a half tree";
  }
  if (fs::exists(folder_ / "new/notes.txt") && folder_.read("new/notes.txt") != "new") {
    return "a half file";
  }
  const Outcome next = xorloom(decode_to("new/"));
  return next.status != 0 ? next.err : flaw_of_whole("new");
}

std::string TreeFailureScene::flaw_of_encoded() const {
  const bool is_made = shell("ls encoded/*.shard > list", folder_.path()).status == 0;
  if (!is_made) {
    const Outcome next = xorloom(encode_to("encoded"));
    if (next.status != 0) return next.err;
  }
  const Outcome decoded = xorloom({"decode", folder_ / "encoded", "-o", folder_ / "new/"});
  return decoded.status != 0 ? decoded.err : flaw_of_whole("new");
}

std::string TreeFailureScene::litter() const {
  for (const char* const name : {"to", "new", "encoded"}) {
    if (!fs::exists(folder_ / name)) continue;
    const Names names = folder_.names(name);
    if (names.empty()) return name;
    for (const std::string& each : names) {
      if (each.starts_with('.')) return each;
    }
  }
  return {};
}

std::string TreeFailureScene::flaw_of_whole(const std::string& name) const {
  if (folder_.names(name) != Names{"notes.txt", "photos"}) return "something is left in " + name;
  if (listing(folder_ / (name + "/photos")) != photos_) return "another tree";
  return folder_.read(name + "/notes.txt") == "new" ? "" : "another file";
}

}  // namespace xorloom::test
