#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/running.hpp"
#include "cli/streams.hpp"
#include "cli/stripe.hpp"
#include "codes/error.hpp"
#include "runtime/chunk_files.hpp"
#include "runtime/user_bytes.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "give a file back from its chunks\n"
    "Gives back the file whose chunks encode wrote into DIR. Chunk files that are not there count "
    "as "
    "lost and are rebuilt, as long as the code can; only chunks that are needed are read. Bare "
    "chunk "
    "files carry no checksums: a chunk that is there is taken to be right.";

constexpr const char* kExamples =
    "xorloom decode chunks -o photos.tar --raw --length 40000000 \\\n"
    "    --code cauchy-good:k=10,m=4,w=8\n"
    "xorloom decode chunks -o - --raw --length 40000000 --code rs:k=4,m=2 | tar t";

struct DecodeOptions {
  std::string directory;
  std::string output;
  std::string spec;
  bool raw = false;
  std::size_t length = 0;
  Options run{.threads = 0};
};

/// Locations that hold any of the first so many bytes of the user, ascending.
std::vector<std::size_t> data_locations(const Code& code, std::size_t chunk_bytes,
                                        std::size_t length) {
  const std::size_t cell_bytes = chunk_bytes / code.subchunks;
  std::set<std::size_t> locations;
  for (std::size_t j = 0; j < code.data.size() && j * cell_bytes < length; ++j) {
    locations.insert(code.location_of_cell(code.data[j]));
  }
  return {locations.begin(), locations.end()};
}

std::vector<std::size_t> intersection(const std::vector<std::size_t>& a,
                                      const std::vector<std::size_t>& b) {
  std::vector<std::size_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

void check_files(const ChunkFiles& files, const Code& code, const DecodeOptions& options) {
  if (files.present.empty()) {
    fail(Status::kDamaged, fmt::format("{} holds none of the {} chunk files 0 to {}",
                                       options.directory, code.locations, code.locations - 1));
  }
  const std::size_t capacity = data_capacity(code, files.chunk_bytes);
  if (options.length > capacity) {
    fail(Status::kInvalidArgument,
         fmt::format("--length = {} exceeds the {} bytes of data that chunks of {} bytes hold",
                     options.length, capacity, files.chunk_bytes));
  }
}

void run(const DecodeOptions& options) {
  check_raw(options.raw, "decode");
  if (names_chunk_file(options.directory, options.output)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is the name of a chunk file of {}, which decoding must not write",
                     options.output, options.directory));
  }
  const Codec codec(options.spec, options.run);
  const Info info = codec.info();
  const Code code = proved_code(info);
  const Stopwatch all;
  const ChunkFiles files = find_chunk_files(options.directory, info.locations, info.chunk_multiple);
  check_files(files, code, options);

  const std::vector<std::size_t> data = data_locations(code, files.chunk_bytes, options.length);
  const std::vector<std::size_t> wanted = intersection(data, files.missing);
  std::optional<Plan> plan;
  std::vector<std::size_t> read = intersection(data, files.present);
  if (!wanted.empty()) {
    plan = codec.decoding(files.missing, wanted);
    const std::vector<std::size_t> data_read = std::exchange(read, {});
    std::ranges::set_union(data_read, plan->reads(), std::back_inserter(read));
  }

  check_memory(read.size() + wanted.size(), files.chunk_bytes, options.length);
  Stripe stripe(info.locations, files.chunk_bytes);
  for (const std::size_t location : read) read_chunk_file(files, location, stripe.hold(location));
  for (const std::size_t location : wanted) stripe.hold(location);
  std::string speed = "nothing to rebuild";
  if (plan) {
    const Stopwatch coding;
    check(plan->run(stripe.pointers(), stripe.chunk_bytes()));
    speed = speed_text(data_capacity(code, stripe.chunk_bytes()), coding.seconds());
  }
  std::vector<std::uint8_t> bytes(options.length);
  collect_user_bytes(code, stripe.pointers(), stripe.chunk_bytes(), bytes);
  write_output(options.output, bytes);
  note(fmt::format(
      "decoded {} bytes from chunks of {} bytes in {}, lost {}, read {}: {}, {:.3f} s "
      "in all ({})",
      options.length, stripe.chunk_bytes(), options.directory, short_list(files.missing),
      short_list(read), speed, all.seconds(), how_text(info, options.run.threads)));
}

}  // namespace

Command add_decode(CLI::App& program) {
  CLI::App* app = program.add_subcommand("decode", kAbout);
  const auto options = std::make_shared<DecodeOptions>();
  app->add_option("DIR", options->directory, "directory of the chunk files")
      ->required()
      ->type_name("");
  app->add_option("-o,--output", options->output, "the file to write, - for standard output")
      ->required()
      ->type_name("FILE");
  add_flag(*app, "--raw", options->raw, "bare chunk files; needed, as there is no other form yet");
  app->add_option("--code", options->spec, "the code that encoded them, in the same words")
      ->required()
      ->type_name("SPEC");
  add_number(*app, "--length", options->length, 0, kMaxLength,
             "bytes of the file that was encoded");
  app->get_option("--length")->required();
  add_run_options(*app, options->run, "not given: auto", "not given: 0");
  app->footer(kExamples);
  return {app, [options] { run(*options); }};
}

}  // namespace xorloom::cli
