#include "cli/commands/site_equations.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/shell/options.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/proof.hpp"
#include "equations/request/split_equations.hpp"

namespace xorloom::cli {
namespace {

/// Equations of a site in the chosen style, proved equal to `direct`.
EquationFile file_of(const Program& direct, const SearchOptions& search, std::size_t site) {
  if (search.style == "direct") return {.program = direct};
  return run_search(search, {nullptr, {}, direct, 0, fmt::format("site {}", site)}).front();
}

double share(std::size_t cells, const SplitEquations& split) {
  return static_cast<double>(cells) / static_cast<double>(split.rebuilt);
}

std::string text_of(const SplitEquations& split, const std::vector<EquationFile>& files) {
  std::string text = fmt::format(
      "sites:   {}\n"
      "# the outputs of a site are partial sums of lost elements; the join adds them\n\n",
      split.sites.size());
  for (std::size_t s = 0; s < split.sites.size(); ++s) {
    text += fmt::format("# site {}{}: {}\n", s, s == split.home ? ", home" : "",
                        named_list("location", split.sites[s].locations));
    text += files[s].program.outputs.empty() ? "# nothing is read here\n" : write_text(files[s]);
    text += '\n';
  }
  text +=
      fmt::format("# join, at site {}: location s is the sum of site s, location {} the result\n",
                  split.home, split.sites.size());
  text += write_text(files.back());
  text += fmt::format(
      "\n"
      "# sent between sites: {}, {:.2f} bytes per byte rebuilt; {:.2f} without sums\n"
      "# proof: symbolic, sites and join together\n",
      counted(split.sent, "cell"), share(split.sent, split), share(split.unsummed, split));
  return text;
}

std::string json_of(const Code& code, const SplitEquations& split,
                    const std::vector<EquationFile>& files) {
  Json json{{"format", "xorloom-sites"}, {"version", 1}, {"spec", code.spec}, {"home", split.home}};
  Json sites = Json::array();
  for (std::size_t s = 0; s < split.sites.size(); ++s) {
    sites.push_back({{"locations", split.sites[s].locations},
                     {"equations", Json::parse(write_json(files[s]))}});
  }
  json["sites"] = std::move(sites);
  json["join"] = Json::parse(write_json(files.back()));
  json["sent"] = {{"cells", split.sent},
                  {"cells_without_sums", split.unsummed},
                  {"rebuilt", split.rebuilt},
                  {"bytes_per_byte", share(split.sent, split)}};
  json["proof"] = {{"method", "symbolic"}, {"holds", true}};
  return json.dump(1) + "\n";
}

}  // namespace

void add_groups(Command& command, std::vector<std::vector<std::size_t>>& groups) {
  add_range_lists(
      command, "--groups", groups, kMaxLocation,
      "with --erase: the sites of a repair, each a group of locations, such as 0-4/5-9/10-13. Each "
      "site, a rack or a room, adds up its chunks. It sends at most one sum per lost chunk to the "
      "site of the first chunk to rebuild, where the join adds the sums");
}

std::string site_equations(const Code& code, const Request& request,
                           const std::vector<std::vector<std::size_t>>& groups,
                           const SearchOptions& search, const std::string& format) {
  if (format != "text" && format != "json") {
    fail(Status::kInvalidArgument,
         fmt::format("--groups is shown as text or json, not {}", format));
  }
  if (search.cores != 0) {
    fail(Status::kInvalidArgument, "--groups and --cores do not go together");
  }
  if (search.whole_front) {
    fail(Status::kInvalidArgument, "--groups and --front do not go together");
  }
  SplitEquations split = split_equations(code, request, groups);
  std::vector<EquationFile> files;
  for (SplitEquations::Site& site : split.sites) {
    files.push_back(file_of(site.program, search, files.size()));
    site.program = files.back().program;
  }
  files.push_back({.program = split.join});
  const Program whole = whole_program(code, split);
  check_program(whole);
  prove(whole, code);
  return format == "json" ? json_of(code, split, files) : text_of(split, files);
}

}  // namespace xorloom::cli
