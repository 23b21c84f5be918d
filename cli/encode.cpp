#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
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
    "write a file as chunks, some of which may be lost\n"
    "Cuts FILE into k data chunks, computes m redundant ones, and writes them as bare files named "
    "0, "
    "1, … into DIR. They hold the chunks and nothing else: decode needs the same SPEC and the "
    "length "
    "of FILE. A file that does not fill its chunks is filled up with zeros.";

constexpr const char* kExamples =
    "xorloom encode photos.tar -o chunks --raw --code cauchy-good:k=10,m=4,w=8\n"
    "tar c photos | xorloom encode - -o chunks --raw --code rs:k=4,m=2";

struct EncodeOptions {
  std::string file;
  std::string directory;
  std::string spec;
  bool raw = false;
  bool replace = false;
  std::size_t chunk_bytes = 0;
  Options run{.threads = 0};
};

std::size_t chosen_chunk_bytes(const Code& code, const EncodeOptions& options,
                               std::size_t data_bytes) {
  if (options.chunk_bytes == 0) {
    const std::size_t smallest = chunk_bytes_for(code, data_bytes);
    check_memory(code.locations, smallest, data_bytes);
    return smallest;
  }
  check_chunk_bytes(code, options.chunk_bytes);
  const std::size_t capacity = data_capacity(code, options.chunk_bytes);
  if (data_bytes > capacity) {
    fail(Status::kInvalidArgument,
         fmt::format("{} has {} bytes, more than the {} that chunks of {} bytes hold", options.file,
                     data_bytes, capacity, options.chunk_bytes));
  }
  check_memory(code.locations, options.chunk_bytes, data_bytes);
  return options.chunk_bytes;
}

void run(const EncodeOptions& options) {
  check_raw(options.raw, "encode");
  if (options.directory == "-") {
    fail(Status::kInvalidArgument, "-o names the directory of the chunk files, which '-' is not");
  }
  if (names_chunk_file(options.directory, options.file == "-" ? "/dev/stdin" : options.file)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is a chunk file of {}, which the chunks would take the place of",
                     options.file, options.directory));
  }
  const Codec codec(options.spec, options.run);
  const Info info = codec.info();
  const Code code = proved_code(info);
  const Stopwatch all;
  static_cast<void>(chosen_chunk_bytes(code, options, known_input_bytes(options.file)));
  const std::vector<std::uint8_t> data = read_input(options.file);
  Stripe stripe(info.locations, chosen_chunk_bytes(code, options, data.size()));
  stripe.hold_all();
  spread_user_bytes(code, data, stripe.pointers(), stripe.chunk_bytes());

  const Stopwatch coding;
  check(codec.encode(stripe.pointers(), stripe.chunk_bytes()));
  const double coding_seconds = coding.seconds();

  std::vector<std::span<const std::uint8_t>> chunks;
  for (std::size_t location = 0; location < info.locations; ++location) {
    chunks.emplace_back(stripe.chunk(location));
  }
  write_chunk_files(options.directory, chunks,
                    options.replace ? Existing::kReplace : Existing::kRefuse);
  note(fmt::format("encoded {} bytes into {} chunks of {} bytes in {}: {}, {:.3f} s in all ({})",
                   data.size(), info.locations, stripe.chunk_bytes(), options.directory,
                   speed_text(data_capacity(code, stripe.chunk_bytes()), coding_seconds),
                   all.seconds(), how_text(info, options.run.threads)));
}

}  // namespace

Command add_encode(CLI::App& program) {
  CLI::App* app = program.add_subcommand("encode", kAbout);
  const auto options = std::make_shared<EncodeOptions>();
  app->add_option("FILE", options->file, "the file to encode, - for standard input")
      ->required()
      ->type_name("");
  app->add_option("-o,--output", options->directory,
                  "directory of the chunk files, made if there is none")
      ->required()
      ->type_name("DIR");
  add_flag(*app, "--raw", options->raw, "bare chunk files; needed, as there is no other form yet");
  app->add_option("--code", options->spec, "the code, as in cauchy-good:k=10,m=4,w=8")
      ->required()
      ->type_name("SPEC");
  add_number(*app, "--chunk-bytes", options->chunk_bytes, 1, kMaxChunkBytes,
             "size of each chunk; not given: the smallest that holds FILE");
  add_flag(*app, "--replace", options->replace, "write over chunk files that are in DIR already");
  add_run_options(*app, options->run, "not given: auto", "not given: 0");
  app->footer(kExamples);
  return {app, [options] { run(*options); }};
}

}  // namespace xorloom::cli
