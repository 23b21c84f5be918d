// Compares the other software that families name with the table of docs/choosing.md, which states
// what is compared with what.

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/split.hpp"

namespace xorloom {
namespace {

/// Parts of a text that stand in backticks.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; (from = text.find('`', from)) != std::string::npos;) {
    const std::size_t to = text.find('`', from + 1);
    parts.push_back(text.substr(from + 1, to - from - 1));
    from = to + 1;
  }
  return parts;
}

struct Row {
  std::string name;
  std::string technique;
  std::vector<std::string> specs;
  bool is_compared;
};

/// "jerasure blaum_roth" of "jerasure `blaum_roth`, w = 7".
std::string technique_of(std::string text) {
  std::erase(text, '`');
  text = text.substr(0, std::min(text.find(','), text.find(" with ")));
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The rows of the table that have a spec. A row without a name in bold is of the name above it.
std::vector<Row> rows() {
  std::ifstream file(std::string(XORLOOM_DOCS) + "/choosing.md");
  std::vector<Row> found;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## Codes of other software")) name = "none";
    if (line.starts_with("## What is chosen")) break;
    if (name.empty() || !line.starts_with("| ")) continue;
    const std::vector<std::string_view> cells = split(line, '|');
    std::string what(cells[1]);
    if (const std::size_t begin = what.find("**"); begin != std::string::npos) {
      const std::size_t end = what.find("**", begin + 2);
      name = what.substr(begin + 2, end - begin - 2);
      what = what.substr(end + 2);
    }
    Row row{name, technique_of(what), {}, cells[3].starts_with(" compared")};
    for (const std::string& part : quoted(std::string(cells[2]))) {
      if (part.find(":k=") != std::string::npos) row.specs.push_back(part);
    }
    if (!row.specs.empty()) found.push_back(row);
  }
  return found;
}

std::vector<OtherSoftware> software_of_spec(const std::string& spec) {
  return software_of(make_code(spec, {.allow_non_mds = true}));
}

bool names(const std::string& spec, const std::string& name, const std::string& technique,
           bool is_compared = true) {
  return std::ranges::any_of(software_of_spec(spec), [&](const OtherSoftware& other) {
    return other.name == name && other.technique == technique && other.is_compared == is_compared;
  });
}

TEST_CASE("Families name the other software that the table of specs has") {
  std::set<std::string> documented;
  for (const Row& row : rows()) {
    for (const std::string& spec : row.specs) {
      CAPTURE(row.name);
      CAPTURE(row.technique);
      CAPTURE(spec);
      CHECK(names(spec, row.name, row.technique, row.is_compared));
      documented.insert(row.name + ' ' + row.technique);
      if (row.name != "Jerasure") continue;
      // "Ceph jerasure, each technique"; "w = 8; 7 for liberation and blaum_roth"
      CHECK(names(spec, "Ceph", "jerasure " + row.technique, row.technique != "blaum_roth"));
      documented.insert("Ceph jerasure " + row.technique);
    }
  }
  CHECK(documented.size() >= 33);
  for (const Family* family : families()) {
    for (const OtherSoftware& other : family->same_bytes) {
      const std::string name = std::string(other.name) + ' ' + std::string(other.technique);
      CAPTURE(name);
      CHECK(documented.contains(name));
    }
  }
}

TEST_CASE("Chunks from Ceph are compared for the symbols that the table says, and for no others") {
  for (const char* spec : {"cauchy-good:k=5,m=3,w=3", "cauchy:k=5,m=3,w=4", "rs:k=5,m=3,w=16",
                           "raid6:k=5,w=16", "blaum-roth:k=4,w=6", "liberation:k=4,w=11"}) {
    CAPTURE(spec);
    bool is_named = false;
    for (const OtherSoftware& other : software_of_spec(spec)) {
      CHECK((other.name != "Jerasure" || other.is_compared));
      is_named |= other.name == "Ceph" && !other.is_compared;
    }
    CHECK(is_named);
  }
  CHECK(names("blaum-roth:k=4,w=7", "Ceph", "jerasure blaum_roth"));
}

TEST_CASE("A code that other software does not have names none") {
  for (const char* spec :
       {"rs:k=4,m=2,w=4", "rs:k=4,m=2,w=8,arrangement=packet", "rs:k=4,m=2,w=8,poly=0x12b",
        "rs:k=4,m=2,w=16,matrix=zfec", "rs:k=4,m=2,matrix=vandermonde,arrangement=packet",
        "rs:k=4,m=7,matrix=snapraid", "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0",
        "cauchy-good:k=4,m=2,w=12", "raid6:k=4,w=4", "isa-cauchy:k=4,m=2,arrangement=packet",
        "leopard:k=4,m=2,w=16", "leopard:k=2,m=4", "blaum-roth:k=2,w=5", "rdp:k=4,p=5",
        "zigzag:k=4,r=2"}) {
    CAPTURE(spec);
    CHECK(software_of_spec(spec).empty());
  }
  CHECK(names("isa-cauchy:k=4,m=1", "Ceph", "isa cauchy"));
  CHECK_FALSE(names("isa-cauchy:k=4,m=1", "ISA-L", "gf_gen_cauchy1_matrix"));
  CHECK(names("cauchy:k=5,m=2,w=3", "Jerasure", "cauchy_orig"));
  CHECK(names("rs:k=4,m=2,matrix=zfec", "zfec", ""));
  for (const char* other : {"Jerasure", "Ceph", "liberasurecode", "SnapRAID"}) {
    for (const OtherSoftware& software : software_of_spec("rs:k=4,m=2,w=8,matrix=zfec")) {
      CHECK(software.name != other);
    }
  }
}

}  // namespace
}  // namespace xorloom
