// The program xorloom-mpi: the calls of the library, on files.

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "integrations/mpi/program.hpp"
#include "xorloom/mpi.hpp"

namespace {

using xorloom::Status;
using namespace xorloom::mpi;  // NOLINT(google-build-using-namespace): all of it is that

struct Arguments {
  std::string code = "cauchy-good:k=10,m=4,w=8";
  std::string file;
  std::string directory;
  std::string output;
  std::string route = "direct";
  std::string hosts;
  std::string host;
  std::size_t bytes = 0;
  int rounds = 5;
  bool by_host = false;
  bool quiet = false;
  Options options;
};

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

Options options_of(const Arguments& given) {
  Options options = given.options;
  options.host = with_rank(given.host, rank_of_world());
  options.host_file = given.hosts;
  if (given.by_host) options.domains = Domains::kHosts;
  if (!given.hosts.empty()) options.domains = Domains::kFile;
  options.route = route_of(given.route);
  return options;
}

int run_encode(const Arguments& given, const Options& options) {
  std::optional<InputFile> input;
  std::string why;
  try {
    input.emplace(with_rank(given.file, rank_of_world()));
  } catch (const xorloom::Error& error) {
    why = error.what();
  }
  if (const auto all = first_of_all(why); !all.empty())
    return report({Status::kIo, all}, given.quiet);
  Store store = Store::directory(with_rank(given.directory, rank_of_world()));
  Options of_file = options;
  of_file.permissions = input->permissions();
  const Outcome outcome =
      encode(MPI_COMM_WORLD, input->data(), input->bytes(), given.code, store, of_file);
  if (outcome.status == Status::kOk && !given.quiet) {
    Survival survival;
    if (survives(MPI_COMM_WORLD, given.code, survival, options).status == Status::kOk)
      print(survival, options);
  }
  return report(outcome, given.quiet);
}

int run_status(const Arguments& given, const Options& options) {
  Store store = Store::directory(with_rank(given.directory, rank_of_world()));
  State state;
  const Outcome outcome = inspect(MPI_COMM_WORLD, store, state, options);
  if (outcome.status != Status::kOk) return report(outcome, given.quiet);
  return print(state);
}

int run_rebuild(const Arguments& given, const Options& options) {
  Store store = Store::directory(with_rank(given.directory, rank_of_world()));
  return report(rebuild(MPI_COMM_WORLD, store, options), given.quiet);
}

int run_decode(const Arguments& given, const Options& options) {
  Store store = Store::directory(with_rank(given.directory, rank_of_world()));
  State state;
  Outcome outcome = inspect(MPI_COMM_WORLD, store, state, options);
  if (outcome.status != Status::kOk) return report(outcome, given.quiet);
  const auto rank = static_cast<std::size_t>(rank_of_world());
  const SetState set = rank < state.sets.size() ? state.sets[rank] : SetState{};
  const std::size_t bytes = set.bytes;
  std::string why;
  std::vector<std::uint8_t> data;
  try {
    data.resize(bytes);
  } catch (const std::bad_alloc&) {
    why = "there is not enough memory for " + std::to_string(bytes) + " bytes";
  }
  if (const auto all = first_of_all(why); !all.empty())
    return report({Status::kUnsupported, all}, given.quiet);
  outcome = decode(MPI_COMM_WORLD, data.empty() ? nullptr : data.data(), bytes, store, options);
  if (outcome.status != Status::kOk) return report(outcome, given.quiet);
  try {
    write_file(with_rank(given.output, rank_of_world()), data, set.permissions);
  } catch (const xorloom::Error& error) {
    why = error.what();
  }
  if (const auto all = first_of_all(why); !all.empty())
    return report({Status::kIo, all}, given.quiet);
  return report(outcome, given.quiet);
}

int run_placement(const Arguments& given, const Options& options) {
  Survival survival;
  const Outcome outcome = survives(MPI_COMM_WORLD, given.code, survival, options);
  if (outcome.status != Status::kOk) return report(outcome, given.quiet);
  print(survival, options);
  return EXIT_SUCCESS;
}

int run_scale(const Arguments& given, const Options& options) {
  Phases phases;
  const Outcome outcome =
      measure(MPI_COMM_WORLD, given.bytes, given.code, given.rounds, phases, options);
  if (outcome.status != Status::kOk) return report(outcome, given.quiet);
  print(phases, given.code, given.bytes);
  return EXIT_SUCCESS;
}

void add_store(CLI::App& command, Arguments& given) {
  command.add_option("DIR", given.directory, "Where each rank keeps its shards; %r is its number")
      ->required();
  command.add_option("--label", given.options.label, "Name of what is kept, default: data");
}

void add_placing(CLI::App& command, Arguments& given) {
  command.add_flag("--by-host", given.by_host, "Count ranks on one host as lost together");
  command.add_option("--hosts", given.hosts, "File with lines HOST DOMAIN, such as racks");
  command.add_option("--host", given.host,
                     "Name of this rank's host, default: what MPI says; %r is its number");
}

void add_exchange(CLI::App& command, Arguments& given) {
  command.add_option("--slice-bytes", given.options.slice_bytes,
                     "Bytes of a message, default: 262144");
  command.add_option("--in-flight", given.options.slices_in_flight,
                     "Messages in flight per chunk, default: 3");
}

void add_code(CLI::App& command, Arguments& given) {
  command.add_option("--code", given.code, "Spec of the code, default: cauchy-good:k=10,m=4,w=8");
  command.add_option("--block-bytes", given.options.block_bytes,
                     "Bytes of a chunk of a stripe, default: 65536");
}

using Command = int (*)(const Arguments&, const Options&);

std::map<const CLI::App*, Command> add_commands(CLI::App& app, Arguments& given) {
  std::map<const CLI::App*, Command> commands;
  const auto add = [&](const char* name, const char* about, Command command) -> CLI::App& {
    CLI::App* const sub = app.add_subcommand(name, about);
    commands[sub] = command;
    sub->add_flag("--quiet", given.quiet, "Print errors alone");
    return *sub;
  };
  CLI::App& encode =
      add("encode", "Encode a file of each rank into shards on other ranks", run_encode);
  encode.add_option("FILE", given.file, "File of each rank; %r is its number")->required();
  add_store(encode, given);
  add_code(encode, given);
  add_placing(encode, given);
  add_exchange(encode, given);
  CLI::App& status = add("status", "Say which chunks are gone and what can be rebuilt", run_status);
  CLI::App& rebuild = add("rebuild", "Rebuild the chunks that are gone", run_rebuild);
  for (CLI::App* const command : {&status, &rebuild}) {
    add_store(*command, given);
    command->add_flag("--check-blocks", given.options.check_blocks,
                      "Read all shards, and take damaged ones as gone");
  }
  add_placing(rebuild, given);
  add_exchange(rebuild, given);
  rebuild.add_option(
      "--route", given.route,
      "How sums travel: direct, star, tree, chain, or a file with lines RANK PARENT");
  CLI::App& decode = add("decode", "Give each rank its file again", run_decode);
  add_store(decode, given);
  add_exchange(decode, given);
  decode.add_option("-o,--output", given.output, "File of each rank; %r is its number")->required();
  CLI::App& placement = add("placement", "Say what losses a placement survives", run_placement);
  add_code(placement, given);
  add_placing(placement, given);
  CLI::App& scale = add("scale", "Time encoding and exchange apart, in memory", run_scale);
  scale.add_option("BYTES", given.bytes, "Data of each rank")->required();
  scale.add_option("--rounds", given.rounds, "Rounds, of which the fastest counts, default: 5");
  add_code(scale, given);
  add_placing(scale, given);
  add_exchange(scale, given);
  return commands;
}

int run(int argc, char** argv) {
  Arguments given;
  CLI::App app("Erasure coding over MPI: mpirun -n 14 xorloom-mpi COMMAND …", "xorloom-mpi");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("xorloom-mpi ") + xorloom::version());
  const auto commands = add_commands(app, given);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (rank_of_world() != 0) return error.get_exit_code() == 0 ? EXIT_SUCCESS : 2;
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fprintf(stderr, "xorloom-mpi: error: %s\n", error.what());
    return 2;
  }
  // A file of a route may be there for some ranks alone.
  Options options;
  std::string why;
  try {
    options = options_of(given);
  } catch (const xorloom::Error& error) {
    why = error.what();
  }
  if (const auto all = first_of_all(why); !all.empty())
    return report({Status::kInvalidArgument, all}, given.quiet);
  return commands.at(app.get_subcommands().front())(given, options);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run(argc, argv);
  MPI_Finalize();
  return status;
}
