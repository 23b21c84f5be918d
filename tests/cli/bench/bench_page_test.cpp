#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <regex>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/has.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kPageSpec = "cauchy:k=3,m=2,w=3";

/// Describes why a page loads or runs something, or is not well formed. Empty: neither.
std::string not_a_page(const std::string& page) {
  const std::string head = "<!DOCTYPE html>\n";
  if (!page.starts_with(head)) return "no document type";
  std::string rest =
      std::regex_replace(page.substr(head.size()), std::regex("<(meta|link|wbr)[^>]*>"), "");
  for (std::size_t at = 0; (at = rest.find("http://www.w3.org/", at)) != std::string::npos;) {
    rest.erase(at, 18);  // the name of SVG's namespace loads nothing
  }
  for (const char* foreign : {"<script", "http://", "https://", "@import", "url("}) {
    if (has(rest, foreign)) return foreign;
  }
  return not_well_formed(rest);
}

/// The page of a call, which is written to a file.
std::string page_of(std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  const std::string file = folder / "page.html";
  arguments.insert(arguments.begin(), "bench");
  arguments.insert(arguments.end(), {"--format", "html", "-o", file});
  const Outcome outcome = xorloom(arguments);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  std::string page = read_file(file);
  CHECK(not_a_page(page) == "");
  return page;
}

void check_machine(const std::string& page) {
  for (const char* part :
       {"<h2 id=\"the-machine\">The machine</h2>", ">processor</dt>", ">threads</dt>",
        ">caches</dt>", ">memory</dt>", ">pages</dt>", ">instruction sets</dt>", "portable",
        ">virtual machine</dt>", ">counting cycles</dt>", "xorloom 0."}) {
    CAPTURE(part);
    CHECK(has(page, part));
  }
}

}  // namespace

TEST_CASE("The page of a benchmark has a verdict, charts with legends, a table and the machine") {
  const std::string page = page_of(
      {kPageSpec, "--chunk-bytes", "192,1920,3840", "--threads", "1", "--layout", "staggered"});
  for (const char* part : {"<h1>Measured speed of cauchy 3 + 2, w = 3</h1>",
                           "cauchy 3 + 2, w = 3 encodes at ",
                           " GB/s in L1, ",
                           " of plain XOR, and decodes 2 lost chunks at ",
                           ", on one thread of ",
                           "<span>xorloom</span>",
                           "<span>limit: plain XOR</span>",
                           "Encoding, 1 thread",
                           "Decoding 2 lost, 1 thread",
                           "Single calls, chunks of 3840 bytes",
                           ">calls that take no longer</text>",
                           ">90 %</text>",
                           ">99 %</text>",
                           ">99.9 %</text>",
                           ">L1</text>",
                           "<span>encoding: p50 ",
                           "<span>decoding 2 lost: p50 ",
                           ", p99 ",
                           ", p99.9 ",
                           ">p99.9</text>",
                           ">decode 2 lost</th>",
                           ">L1, 192 bytes</th>",
                           "<details><summary>All layouts, losses and single calls of",
                           "<code class=\"whole\">cauchy:k=3,<wbr>m=2,<wbr>w=3,",
                           ">memcpy</th>",
                           "Sizes are those of a chunk",
                           "Chunks are staggered: each begins 576 bytes further",
                           "is named by how it runs"}) {
    CAPTURE(part);
    CHECK(has(page, part));
  }
  CHECK_FALSE(has(page, "timed on one thread alone"));  // all were
  CHECK(count_of(page, "<figure>") == 3);
  check_machine(page);
}

TEST_CASE("Few sizes are bars, and several codes stand side by side with sections of their own") {
  const std::string page = page_of(
      {kPageSpec, "rs:k=4,m=2", "--chunk-bytes", "1920", "--threads", "1", "--losses", "1"});
  for (const char* part :
       {"<h1>Measured speed of 2 codes</h1>", "cauchy 3 + 2, w = 3 encodes at ",
        "rs 4 + 2, w = 8 encodes at ", "<h2 id=\"rs-4-2-w-8\">", "<a href=\"#rs-4-2-w-8\">",
        "Decoding 1 lost, 1 thread", ">L1, 1920 bytes</th>"}) {
    CAPTURE(part);
    CHECK(has(page, part));
  }
  CHECK(count_of(page, "<details>") == 2);
}

TEST_CASE("Charts of several codes have a limit for each number of chunks, named in the legend") {
  const std::string page =
      page_of({kPageSpec, "rs:k=3,m=2", "rs:k=4,m=2", "--chunk-bytes", "192,1920,3840", "--threads",
               "1", "--losses", "2", "--layout", "staggered"});
  const std::size_t from = page.find("<ul class=\"legend\">");
  const std::string legend = page.substr(from, page.find("</ul>", from) - from);
  CHECK(count_of(legend, "<li>") == 5);
  // Two codes share a limit, which has the color of neither; the third has its own.
  CHECK(has(legend, "<span>limit of 3 + 2: plain XOR</span>"));
  CHECK(has(legend, "<span>limit of 4 + 2: plain XOR</span>"));
  CHECK(count_of(legend, "stroke-dasharray=") == 2);
  CHECK(count_of(legend, "<g class=\"xl-2\">") == 2);
  CHECK(count_of(legend, "<g class=\"xl-7\">") == 1);
  // Chunks of 5 and of 6 to a stripe leave L1 at different sizes.
  CHECK(has(page, ">L1</text>"));
  const std::size_t charts = page.find("<div class=\"charts\">");
  const std::string first = page.substr(charts, page.find("</svg>", charts) - charts);
  CHECK(has(first, "<title>limit of 3 + 2: plain XOR</title>"));
  CHECK(has(page, "All calls encode, on one thread."));
}

TEST_CASE("An output that cannot be written is refused before anything is measured") {
  const TemporaryFolder folder;
  for (const char* format : {"table", "json", "html"}) {
    const Outcome outcome = xorloom({"bench", kPageSpec, "--chunk-bytes", "1920", "--format",
                                     format, "-o", folder / "missing/page.html"});
    CHECK(outcome.status == 4);
    CHECK(outcome.out.empty());
    CHECK(has(outcome.err, "missing/page.html"));
  }
  CHECK(not_refused(xorloom({"bench", kPageSpec, "--explain", "--format", "svg"}),
                    "--explain has no pictures, and no --format svg") == "");
  CHECK(has(page_of({kPageSpec, "--explain"}), "<h1>How codes run, and why</h1>"));
}

TEST_CASE("The JSON of a benchmark says more of the machine and of single calls") {
  const Outcome outcome = xorloom({"bench", kPageSpec, "--chunk-bytes", "192", "--threads", "1",
                                   "--layout", "aligned", "--format", "json"});
  const Json json = Json::parse(outcome.out);
  const Json& machine = json["machine"];
  CHECK(machine["page_bytes"] >= 4096);
  CHECK(machine["load"].get<double>() >= 0);
  for (const char* name :
       {"architecture", "model", "clock_ghz", "governor", "hypervisor", "sockets", "cores",
        "numa_nodes", "processors_allowed", "kernel", "huge_pages", "why_no_cycle_counter"}) {
    CAPTURE(name);
    CHECK(machine.contains(name));
  }
  const Json& calls = json["results"][0]["operations"][0]["single_calls"];
  CHECK(calls["p90_seconds"] >= calls["p50_seconds"]);
  CHECK(calls["most_seconds"] >= calls["p99_9_seconds"]);
  CHECK(json["by_threads"].empty());  // with --threads
}

}  // namespace xorloom::test
