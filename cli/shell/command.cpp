#include "cli/shell/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "cli/shell/progress.hpp"
#include "codes/text/error.hpp"
#include "codes/text/split.hpp"
#include "runtime/atlas/atlas.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/protection_part.hpp"
#include "runtime/shards/shard_file.hpp"
#include "runtime/shards/shard_sets.hpp"

namespace xorloom::cli {
namespace {

bool has_name(const CommandOption& option, std::string_view name) {
  const std::vector<std::string_view> names = split(option.names, ',');
  return std::ranges::find(names, name) != names.end();
}

auto find(auto& options, std::string_view name) {
  return std::ranges::find_if(options,
                              [&](const CommandOption& option) { return has_name(option, name); });
}

std::string last_name(const CommandOption& option) {
  return std::string(split(option.names, ',').back());
}

bool reads_files(const CommandOption& option) {
  constexpr std::array<std::string_view, 4> kFiles = {"FILE", "MATRIX", "SPEC", "PLACE"};
  const std::string_view what = option.type.empty() ? option.names : option.type;
  return !option.writes && std::ranges::find(kFiles, what) != kFiles.end();
}

/// Identity of the file that `value` names ("-": standard input); nullopt if it is no regular file.
std::optional<FileIdentity> file_of(std::string_view value) {
  constexpr std::string_view kCodeFile = "file:";
  if (value.starts_with(kCodeFile)) value.remove_prefix(kCodeFile.size());
  const std::filesystem::path path = value == "-" ? "/dev/stdin" : value;
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? file_identity(path) : std::nullopt;
}

/// Throws kInvalidArgument if `other` names the regular file `path` too, or the same new file.
void check_apart(const CommandOption& output, const std::string& path, const CommandOption& other) {
  for (const std::string& value : other.values) {
    std::error_code error;
    const auto resolved = [&](const std::string& name) {
      return std::filesystem::weakly_canonical(std::filesystem::absolute(name, error), error);
    };
    const bool is_same = resolved(value) == resolved(path);
    const bool can_be_both = std::filesystem::exists(path, error) && !file_of(path);
    if (!is_same || can_be_both || path == "-") continue;
    fail(Status::kInvalidArgument, fmt::format("{} and {} name the same file, {}", last_name(other),
                                               last_name(output), excerpt(path)));
  }
}

}  // namespace

std::string_view kept_kind(const std::string& path) {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return {};
  if (is_atlas(path)) return kAtlas;
  if (looks_like_part(path)) return kProtectionFile;
  try {
    const FoundShards found = find_shards(std::array<std::filesystem::path, 1>{path});
    if (!found.sets.empty()) return kShard;
    for (const StrayFile& stray : found.strays) {
      if (stray.error == 0) return kShard;
    }
  } catch (const Error&) {  // a file that cannot be read is not known to be a shard
  }
  return {};
}

void check_not_kept(const std::string& path, std::string_view command,
                    std::string_view replaceable) {
  const std::string_view kind = kept_kind(path);
  if (kind.empty() || kind == replaceable) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} is {}, and {} does not overwrite it: name another file", excerpt(path), kind,
                   command));
}

void check_outputs(const Command& command) {
  for (auto output = command.options.begin(); output != command.options.end(); ++output) {
    if (!output->writes) continue;
    for (const std::string& path : output->values) {
      for (auto other = command.options.begin(); other != output; ++other) {
        if (other->writes) check_apart(*output, path, *other);
      }
      check_not_kept(path, command.name, output->replaces);
      const auto written = path == "-" ? std::nullopt : file_of(path);
      if (!written) continue;
      for (const CommandOption& input : command.options) {
        if (!reads_files(input)) continue;
        for (const std::string& value : input.values) {
          if (file_of(value) != written) continue;
          fail(Status::kInvalidArgument,
               fmt::format("{} {} would replace {}, which {} reads: name another file",
                           last_name(*output), excerpt(path),
                           value == "-" ? "standard input" : excerpt(value), command.name));
        }
      }
    }
  }
}

bool is_program(const Command& command) { return !command.commands.empty(); }

void add_commands(Command& program, std::span<const NamedCommand> all, std::string_view name) {
  const bool is_command = std::ranges::find(all, name, &NamedCommand::name) != all.end();
  for (const NamedCommand& each : all) {
    if (!is_command || each.name == name) program.commands.push_back(each.make());
  }
  constexpr auto kFlag = CommandOption::Kind::kFlag;
  const CommandOption help{kFlag, "-h,--help", "", "print this help"};
  program.options.push_back(help);
  program.options.push_back(
      {kFlag, "-V,--version", "", "print the version, the compiler and the instruction sets"});
  for (Command& command : program.commands) {
    command.program = program.name;
    command.options.insert(
        command.options.begin(),
        {help, {kFlag, "--help-all", "", "print all that there is to say of each option"}});
    command.options.push_back({kFlag, "-q,--quiet", "",
                               "print only errors on standard error, and no progress",
                               [](const std::vector<std::string>&) { be_quiet(); }});
  }
}

std::string full_name(const Command& command) {
  return is_program(command) ? command.name : command.program + " " + command.name;
}

CommandOption& option_of(Command& command, std::string_view name) {
  const auto found = find(command.options, name);
  if (found == command.options.end()) {
    fail(Status::kInternal, std::string(name) + " is no option of " + full_name(command));
  }
  return *found;
}

void remove_option(Command& command, std::string_view name) {
  std::erase_if(command.options,
                [&](const CommandOption& option) { return has_name(option, name); });
}

bool takes(const Command& command, std::string_view name) {
  return find(command.options, name) != command.options.end();
}

bool is_given(const Command& command, std::string_view name) {
  const auto found = find(command.options, name);
  return found != command.options.end() && found->count != 0;
}

const CommandOption* given_besides(const Command& command,
                                   std::span<const std::string_view> names) {
  for (const CommandOption& option : command.options) {
    const auto is_its = [&](std::string_view name) { return has_name(option, name); };
    if (option.count != 0 && std::ranges::none_of(names, is_its)) return &option;
  }
  return nullptr;
}

}  // namespace xorloom::cli
