#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "cli/shards.hpp"
#include "cli/streams.hpp"
#include "codes/error.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "tell what shards are and which sets they belong to\n"
    "Reads the headers of the shards at each PATH, a file or a directory, and tells what every set "
    "is made of and which of its shards are there. Blocks are not read: verify does that.";

constexpr const char* kExamples =
    "xorloom info shards\n"
    "xorloom info disk1 disk2 disk3";

std::string text_of(const ShardSet& set) {
  const ShardHeader& header = set.header;
  std::vector<std::size_t> missing;
  for (const LocationState& state : location_states(set, {})) {
    if (state.kind == LocationState::Kind::kMissing) missing.push_back(state.location);
  }
  std::string text = fmt::format("set         {}\n", to_string(header.set));
  text += fmt::format("generation  {}\n", header.generation);
  text += fmt::format("code        {}\n", wrapped(header.spec, 12));
  text += fmt::format("file        {} bytes in {} stripe{} of {}\n", header.file_bytes,
                      num_blocks(header), num_blocks(header) == 1 ? "" : "s", header.stripe_bytes);
  const std::string pieces =
      header.pieces.number == 0 ? "" : fmt::format(" in {} pieces", header.pieces.number);
  text += fmt::format("blocks      {} bytes{}, the last {}\n", header.block_bytes, pieces,
                      header.last_block_bytes);
  text += fmt::format("shards      {} of {} bytes, missing {}\n", header.locations,
                      shard_bytes(header), short_list(missing));
  for (std::size_t i = 0; i < set.shards.size(); ++i) {
    const ShardFile& shard = set.shards[i];
    text += fmt::format("  {:>5}  {}\n", shard.header.location, printable(shard.path.string()));
    const std::string damage = damage_text(set, {}, i);
    if (!damage.empty()) text += "         " + wrapped(damage, 9) + "\n";
  }
  return text;
}

void run(const std::vector<std::string>& arguments) {
  const FoundShards found = find_shards(paths_of(arguments));
  for (const std::string& sentence : found.unread) note(printable(sentence));
  for (const StrayFile& stray : found.strays) {
    note(printable(fmt::format("{}: {}", stray.path.string(), stray.why)));
  }
  if (found.sets.empty()) fail(Status::kDamaged, "there is no shard of any set");
  std::string text;
  for (const ShardSet& set : found.sets) text += (text.empty() ? "" : "\n") + text_of(set);
  print(text);
}

}  // namespace

Command add_info(CLI::App& program) {
  CLI::App* app = program.add_subcommand("info", kAbout);
  const auto paths = std::make_shared<std::vector<std::string>>();
  app->add_option("PATH", *paths, "shards, or directories that hold some")
      ->required()
      ->type_name("");
  app->footer(kExamples);
  return {app, [paths] { run(*paths); }};
}

}  // namespace xorloom::cli
