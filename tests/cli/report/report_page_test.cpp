#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/report/reporting.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

TEST_CASE("The page has the figures and the pictures, loads nothing and runs nothing") {
  const Outcome outcome = xorloom(
      {"report", kWorkedExample, "--equations", kIterative, "--cores", "1-6", "--format", "html"});
  CHECK(outcome.status == 0);
  const std::string& page = outcome.out;
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(page.ends_with("</html>\n"));
  for (const char* needle :
       {"<td>45</td>", "<td>33</td>", "<td>5.62</td>", "<td>0.94</td>", "<td>1.07</td>",
        "<td>1.25</td>", "<td>8 \u00b7 5.62\u00d7</td>",
        "4 \u00b7 paper_iterative.txt: the equations as a graph",
        "1 \u00b7 direct: the plan on 6 cores, 8 steps", "its data paths",
        "Bitmatrix: 6 x 15 bits, 51 ones", "speedup over the direct XORs on one core",
        "The best equations (set 2, iterative) take 24 XORs instead of 45 direct ones; ",
        "fewer are impossible. On 6 cores, set 3 takes 5 steps; direct equations take 8.",
        ">4\u00a0\u00b7\u00a0paper_<wbr>iterative.txt</th>",
        "<details class=\"screen\"><summary>What the words mean</summary>",
        "<a href=\"#figures\">Figures</a>", "<h2 id=\"figures\">"}) {
    CAPTURE(needle);
    CHECK(page.find(needle) != std::string::npos);
  }
  for (const char* foreign : {"<script", "http://", "https://", "@import", "url("}) {
    std::string rest = page;
    for (std::size_t at = 0; (at = rest.find("http://www.w3.org/", at)) != std::string::npos;) {
      rest.erase(at, 18);  // the name of SVG's namespace loads nothing
    }
    CAPTURE(foreign);
    CHECK(rest.find(foreign) == std::string::npos);
  }
}

TEST_CASE("Wide parts have shadows where there is more, and specs do not break like words") {
  const Outcome outcome = xorloom({"report", kWorkedExample, "--format", "html"});
  const std::string& page = outcome.out;
  CHECK(has(page, "linear-gradient(to left, var(--shade), var(--clear))"));
  CHECK(has(page, "<code class=\"whole\">cauchy:k=5,<wbr>m=2,<wbr>w=3,<wbr>x=1+<wbr>2,"));
  CHECK(has(page, "<th class=\"group\" colspan="));
}

TEST_CASE("A chart of XORs against steps says which axis does not begin at 0") {
  const Outcome outcome = xorloom({"report", kWorkedExample, "--cores", "1,8", "--format", "html"});
  CHECK(has(outcome.out, "<figcaption>XORs against steps on 8 cores</figcaption>"));
  CHECK(has(outcome.out, "What a search found: equations of fewer steps have more XORs."));
  const bool has_said = has(outcome.out, "The axis of XORs does not begin at 0.") ||
                        has(outcome.out, "Neither axis begins at 0.");
  CHECK(has_said);
}

TEST_CASE("Codes of different sizes are compared by XORs per bit, and lrc says its locations") {
  const Outcome outcome = xorloom({"report", kWorkedExample, "lrc:k=4,m=2,l=3", "--effort", "fast",
                                   "--cores", "1", "--format", "html"});
  CHECK(has(outcome.out, "<figcaption>XORs per redundant bit</figcaption>"));
  CHECK(has(outcome.out, "<li>lrc 4 + 2, w = 8, l = 3, 8 locations: The best equations (set "));
  const Outcome alone = xorloom({"report", kWorkedExample, "--cores", "1", "--format", "html"});
  CHECK(has(alone.out, "<figcaption>XORs</figcaption>"));
}

TEST_CASE("Steps on one number of cores have bars and a row, and per bit if codes differ in size") {
  const Outcome six = xorloom(
      {"report", kWorkedExample, "--equations", kIterative, "--cores", "6", "--format", "html"});
  CHECK(has(six.out, "<figcaption>Steps on 6 cores</figcaption>"));
  CHECK(has(six.out, "scope=\"row\">6 cores</th><td>8 \u00b7 5.62\u00d7</td>"));
  const Outcome two = xorloom({"report", kWorkedExample, "evenodd:k=5", "--effort", "fast",
                               "--cores", "1,2", "--format", "html"});
  CHECK(has(two.out, "<figcaption>Steps per redundant bit, by cores</figcaption>"));
  CHECK(has(two.out, ">7.50</text>"));  // 45 steps for 6 bits
  const Outcome one = xorloom({"report", kWorkedExample, "--cores", "1", "--format", "html"});
  CHECK_FALSE(has(one.out, "<figcaption>Steps"));
}

TEST_CASE("A rebuild has a chart of what it reads where that differs, and its verdict compares") {
  const Outcome outcome = xorloom({"report", "cauchy-good:k=6,m=3", "--erase", "0,1", "--effort",
                                   "fast", "--cores", "1", "--format", "html"});
  CHECK(has(outcome.out, "<figcaption>Bytes read per byte rebuilt</figcaption>"));
  CHECK(has(outcome.out, "Set 3 reads 2.94 bytes per byte rebuilt instead of 3.00, with "));
  const Outcome plain = xorloom({"report", "cauchy:k=4,m=2,w=3", "--erase", "0,1", "--effort",
                                 "fast", "--cores", "1", "--format", "html"});
  CHECK_FALSE(has(plain.out, "<figcaption>Bytes read per byte rebuilt</figcaption>"));
  CHECK(has(plain.out, "All sets read 2.00 bytes per byte rebuilt."));
}

TEST_CASE("A search that finds nothing to trade says so in words") {
  const Outcome outcome = xorloom(
      {"report", "cauchy-good:k=6,m=3", "--effort", "fast", "--cores", "1,2", "--format", "html"});
  CHECK(has(outcome.out,
            "XORs against steps, for the code of set 1: a quick search found "
            "fewer than 3 sets that trade one for the other"));
}

TEST_CASE("What is left out for several codes names the sets of all of them") {
  const Outcome outcome = xorloom({"report", "hamming:k=4,m=3", "parity:k=4", "--effort", "fast",
                                   "--cores", "1,2", "--format", "html"});
  CHECK(has(outcome.out, "XORs against steps, for the codes of sets 1, 3: a quick "));
}

TEST_CASE("A page about 10 + 4 stays under 1 MB") {
  const Outcome outcome = xorloom({"report", "cauchy-good:k=10,m=4", "--format", "html", "--effort",
                                   "fast", "--cores", "1,2,4,8,16,32"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out.size() < 1'000'000);
  CHECK(outcome.out.find("the plan on 32 cores") != std::string::npos);
  CHECK(has(outcome.out, "Paper is too small for this picture: see it on a screen."));
  const Outcome small = xorloom({"report", kWorkedExample, "--format", "html"});
  CHECK_FALSE(has(small.out, "Paper is too small"));
}

TEST_CASE("Plans are drawn on no more cores than gain something") {
  const Outcome outcome = xorloom({"report", kWorkedExample, "--cores", "1,2,4,8,16,32", "--format",
                                   "html", "--effort", "fast"});
  CHECK(has(outcome.out, "2 \u00b7 iterative: the plan on "));
  CHECK(has(outcome.out, "; more cores gain nothing"));
  CHECK_FALSE(has(outcome.out, "2 \u00b7 iterative: the plan on 32 cores"));
}

TEST_CASE("Several codes are column groups, which their specs name, wherever sets come from") {
  const TemporaryFolder folder;
  const std::string file = folder / "first.json";
  CHECK(xorloom({"equations", kWorkedExample, "--format", "json", "-o", file}).status == 0);
  const std::vector<std::string> arguments{"report", kWorkedExample, "rs:k=5,m=2", "--equations",
                                           file,     "--cores",      "1",          "--effort",
                                           "fast",   "--format"};
  auto as = [&](const char* format) {
    std::vector<std::string> all = arguments;
    all.emplace_back(format);
    return xorloom(all).out;
  };
  const auto json = nlohmann::json::parse(as("json"));
  REQUIRE(json["sets"].size() == 5);
  CHECK(json["sets"][2]["source"] == file);
  CHECK(json["sets"][3]["code"]["family"] == "rs");
  const std::string page = as("html");
  CHECK(has(page, "colspan=\"3\" scope=\"colgroup\"><span>cauchy:k=5,<wbr>m=2,"));
  CHECK(has(page, "colspan=\"2\" scope=\"colgroup\"><span>rs:k=5,<wbr>m=2,"));
  CHECK(has(page, "<li>cauchy 5 + 2, w = 3, x = 1+2, y = 4+5+6+7+0: "));
}

}  // namespace xorloom::test
