#include "cli/commands/raw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "cli/document/writers.hpp"
#include "cli/measuring/stripe.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/sets/encode_set.hpp"
#include "runtime/shards/chunk_files.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/shard_pieces.hpp"
#include "runtime/stripes/locate_errors.hpp"

namespace xorloom::cli {
namespace {

std::size_t chosen_chunk_bytes(const Code& code, const RawEncoding& encoding,
                               std::size_t data_bytes) {
  if (encoding.chunk_bytes == 0) {
    const std::size_t smallest = chunk_bytes_for(code, data_bytes);
    check_memory(code.locations, smallest, data_bytes);
    return smallest;
  }
  check_chunk_bytes(code, encoding.chunk_bytes, stripe_multiple(code));
  const std::size_t capacity = data_capacity(code, encoding.chunk_bytes);
  if (data_bytes > capacity) {
    fail(Status::kInvalidArgument,
         fmt::format("{} has {}, more than the {} that chunks of {} hold", encoding.file,
                     counted(data_bytes, "byte"), capacity, counted(encoding.chunk_bytes, "byte")));
  }
  check_memory(code.locations, encoding.chunk_bytes, data_bytes);
  return encoding.chunk_bytes;
}

/// Reads the rest of an input, with a progress line.
std::vector<std::uint8_t> read_showing(Input& input) {
  Progress progress;
  progress.total = input.known_bytes();
  progress.phase = "reading";
  const ProgressLine line(progress, !input.is_terminal());
  return read_rest(input, progress.done);
}

std::vector<std::size_t> intersection(const std::vector<std::size_t>& a,
                                      const std::vector<std::size_t>& b) {
  std::vector<std::size_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

/// Throws RecoverableDamage if a chunk file has another size than the others, unless `reads_rest`.
ChunkFiles find_some(const std::string& directory, const Code& code, bool reads_rest = false) {
  ChunkFiles files = find_chunk_files(directory, code.locations, stripe_multiple(code));
  if (files.present.empty()) {
    fail(Status::kIo, fmt::format("{} holds none of the {} chunk files 0 to {}", directory,
                                  code.locations, code.locations - 1));
  }
  if (files.other_size.empty()) return files;
  if (!is_recoverable(code, files.missing)) {
    fail(Status::kDamaged,
         fmt::format("{}; too few are left of that size in {}", files.other_size, directory));
  }
  if (reads_rest) {
    note(printable(files.other_size + "; its chunk counts as lost"));
    return files;
  }
  throw RecoverableDamage(files.other_size +
                          "; without that file its chunk is a lost one, which repair rebuilds");
}

void check_length(const ChunkFiles& files, const Code& code, const RawDecoding& decoding) {
  const std::size_t capacity = data_capacity(code, files.chunk_bytes);
  if (decoding.length > capacity) {
    fail(Status::kInvalidArgument,
         fmt::format("--length = {} exceeds the {} of data that chunks of {} hold", decoding.length,
                     counted(capacity, "byte"), counted(files.chunk_bytes, "byte")));
  }
}

/// Layout of the pieces of a chunk file; a single piece if the code has none.
PieceLayout layout_of(const Code& code, std::size_t chunk_bytes) {
  const Pieces pieces = pieces_of(code);
  return pieces.number == 0 ? PieceLayout{1, chunk_bytes, 1} : piece_layout(pieces, chunk_bytes);
}

/// True if parts of a chunk file are worth reading separately.
bool has_pieces(const Code& code, std::size_t chunk_bytes) {
  const PieceLayout layout = layout_of(code, chunk_bytes);
  return layout.number > 1 && layout.unit_bytes >= kSmallestRows;
}

/// Reads from a chunk what `plan` reads of it, or all of it if `plan` is null. Returns the bytes
/// read.
std::size_t read_chunk(const ChunkFiles& files, const Code& code, const Plan* plan,
                       std::size_t location, Stripe& stripe) {
  const std::span<std::uint8_t> chunk = stripe.hold(location);
  if (plan == nullptr || !has_pieces(code, files.chunk_bytes)) {
    read_chunk_file(files, location, chunk);
    return chunk.size();
  }
  const std::vector<ByteRange> parts =
      ranges_of(layout_of(code, files.chunk_bytes), plan->units_read(location));
  read_chunk_parts(files, location, parts, chunk);
  std::size_t bytes = 0;
  for (const ByteRange& part : parts) bytes += part.bytes;
  return bytes;
}

/// "chunk 3", "chunks 0-2" or "no chunk".
std::string chunks_text(const std::vector<std::size_t>& locations) {
  return locations.empty() ? "no chunk" : named_list("chunk", locations);
}

/// Chunks that were read: "chunks 0-3", or "chunks 0-3 (2048 of 4096 bytes)" if only parts of them
/// were.
std::string reading_text(const std::vector<std::size_t>& locations, std::size_t bytes,
                         std::size_t chunk_bytes) {
  const std::size_t all = locations.size() * chunk_bytes;
  if (bytes == all) return chunks_text(locations);
  return fmt::format("{} ({} of {})", chunks_text(locations), bytes, counted(all, "byte"));
}

/// Compares all chunk files by their redundancy, and locates wrong ones.
ErrorLocation errors_among(const ChunkFiles& files, const Code& code, const Options& options) {
  check_memory(code.locations, files.chunk_bytes, 0);
  Stripe stripe(code.locations, files.chunk_bytes);
  stripe.hold_all();
  for (const std::size_t location : files.present) {
    read_chunk_file(files, location, stripe.hold(location));
  }
  const Plan encoding =
      make_plan(code, encoding_map(code), for_encoding(plan_options(codec_options(options))));
  return locate_errors(code, encoding, files.missing, stripe.pointers(), files.chunk_bytes);
}

/// Evidence of modification times for or against `wrong`: "; modified later than all others: 5".
/// "" if the times are within a minute, as for files that were written together.
std::string evidence_of_times(const ChunkFiles& files, const std::vector<std::size_t>& wrong) {
  constexpr std::chrono::minutes kTogether{1};
  std::vector<std::size_t> right;
  std::ranges::set_difference(files.present, wrong, std::back_inserter(right));
  if (wrong.empty() || right.empty()) return {};
  const auto time = [&](std::size_t location) { return time_of_chunk_file(files, location); };
  const std::size_t last = *std::ranges::max_element(right, {}, time);
  if (time(*std::ranges::min_element(wrong, {}, time)) > time(last) + kTogether) {
    return fmt::format("; modified later than all others: {}", short_list(wrong));
  }
  const auto last_wrong = time(*std::ranges::max_element(wrong, {}, time));
  std::vector<std::size_t> later;
  for (const std::size_t location : right) {
    if (time(location) > last_wrong + kTogether) later.push_back(location);
  }
  if (later.empty()) return {};
  return fmt::format("; but modified later than {}, so perhaps wrong instead: {}",
                     short_list(wrong), short_list(later));
}

/// The assumption under which redundancy locates errors: "if at most 2 chunks are wrong".
std::string assumption_of(const ErrorLocation& errors) {
  return errors.unique_up_to == 1
             ? "if at most 1 chunk is wrong"
             : fmt::format("if at most {} wrong",
                           counted(errors.unique_up_to, "chunk is", "chunks are"));
}

void check_explained(const ErrorLocation& errors, const std::string& directory) {
  if (errors.verdict == ErrorLocation::Verdict::kConsistent || errors.is_smallest()) return;
  fail(Status::kDamaged,
       fmt::format(
           "the chunks in {} contradict each other, and redundancy cannot tell which are wrong{}",
           directory, errors.wrong.empty() ? "" : "; most likely " + short_list(errors.wrong)));
}

/// Throws unless --assume-wrong is given and, under it, no other chunks can be the wrong ones.
void check_assumption(const RawRepair& repair, const ChunkFiles& files,
                      const ErrorLocation& errors) {
  if (errors.wrong.empty()) return;
  const std::string evidence = evidence_of_times(files, errors.wrong);
  if (!repair.assume_wrong) {
    throw RecoverableDamage(fmt::format(
        "nothing was written: {}, these are: {}{}; if you know that, add --assume-wrong {}",
        assumption_of(errors), short_list(errors.wrong), evidence, errors.unique_up_to));
  }
  const std::size_t assumed = *repair.assume_wrong;
  if (assumed >= errors.wrong.size() && assumed <= errors.unique_up_to) return;
  const std::string why =
      assumed < errors.wrong.size()
          ? fmt::format("at least {} wrong, more than the {} assumed",
                        counted(errors.wrong.size(), "chunk is", "chunks are"), assumed)
          : fmt::format("with {} wrong chunks others may be wrong than {}, which {} so {}", assumed,
                        short_list(errors.wrong), errors.wrong.size() == 1 ? "is" : "are",
                        assumption_of(errors));
  fail(Status::kDamaged, fmt::format("the chunks in {} are not repaired, and nothing was written: "
                                     "{}{}",
                                     repair.directory, why, evidence));
}

std::pair<Code, Codec> encoder_of(const RawEncoding& encoding) {
  if (encoding.equations.empty()) {
    const Code code = code_of(encoding.spec, encoding.run);
    return {code, CodecAccess::codec_of(code, encoding.run)};
  }
  const auto [code, file] = runnable_equations(encoding.equations, encoding.spec, encoding.run);
  if (!locations_rebuilt(*code, file.program, encoding.equations).empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("{} has equations that rebuild, and encode needs those that encode",
                     input_name(encoding.equations)));
  }
  return {*code, CodecAccess::codec_of(*code, encoding.run, GivenProgram{file.program, file.plan})};
}

}  // namespace

void encode_raw(const RawEncoding& encoding) {
  if (encoding.directory == "-") {
    fail(Status::kInvalidArgument, "-o needs a directory for the chunk files, and '-' is not one");
  }
  if (names_chunk_file(encoding.directory, encoding.file == "-" ? "/dev/stdin" : encoding.file)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is a chunk file of {}, and the new chunks would replace it", encoding.file,
                     encoding.directory));
  }
  const auto [code, codec] = encoder_of(encoding);
  const Info info = codec.info();
  const Stopwatch all;
  Input input(encoding.file);
  static_cast<void>(chosen_chunk_bytes(code, encoding, input.known_bytes()));
  const std::vector<std::uint8_t> data = read_showing(input);
  Stripe stripe(info.locations, chosen_chunk_bytes(code, encoding, data.size()));
  stripe.hold_all();
  spread_user_bytes(code, data, stripe.pointers(), stripe.chunk_bytes());

  const Stopwatch coding;
  check(codec.encode(stripe.pointers(), stripe.chunk_bytes()));
  const double coding_seconds = coding.seconds();

  std::vector<std::span<const std::uint8_t>> chunks;
  for (std::size_t location = 0; location < info.locations; ++location) {
    chunks.emplace_back(stripe.chunk(location));
  }
  write_chunk_files(encoding.directory, chunks,
                    encoding.replace ? Existing::kReplace : Existing::kRefuse, input.permissions());
  note_plans(encoding.run, codec.plan_counts());
  note(fmt::format("encoded {} into {} of {} in {}: {}, {:.3f} s in all ({})",
                   counted(data.size(), "byte"), counted(info.locations, "chunk"),
                   counted(stripe.chunk_bytes(), "byte"), encoding.directory,
                   speed_text(data_capacity(code, stripe.chunk_bytes()), coding_seconds),
                   all.seconds(), how_text(info, encoding.run.threads)));
}

void decode_raw(const RawDecoding& decoding) {
  if (names_chunk_file(decoding.directory, decoding.output)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is the name of a chunk file of {}, and decode must not overwrite it",
                     decoding.output, decoding.directory));
  }
  const Code code = code_of(decoding.spec, decoding.run);
  const Codec codec = CodecAccess::codec_of(code, decoding.run);
  const Info info = codec.info();
  const Stopwatch all;
  const ChunkFiles files = find_some(decoding.directory, code, true);
  check_length(files, code, decoding);

  const std::vector<std::size_t> data = data_locations(code, files.chunk_bytes, decoding.length);
  const std::vector<std::size_t> wanted = intersection(data, files.missing);
  std::optional<Plan> plan;
  std::vector<std::size_t> read = intersection(data, files.present);
  if (!wanted.empty()) {
    plan = codec.repair({.erased = files.missing,
                         .wanted = wanted,
                         .at_hand = read,
                         .whole_chunks = !has_pieces(code, files.chunk_bytes)});
    const std::vector<std::size_t> data_read = std::exchange(read, {});
    std::ranges::set_union(data_read, plan->reads(), std::back_inserter(read));
  }

  check_memory(read.size() + wanted.size(), files.chunk_bytes, decoding.length);
  Stripe stripe(info.locations, files.chunk_bytes);
  std::size_t bytes_read = 0;
  for (const std::size_t location : read) {
    const bool is_whole = std::ranges::binary_search(data, location);
    bytes_read += read_chunk(files, code, is_whole ? nullptr : &*plan, location, stripe);
  }
  for (const std::size_t location : wanted) stripe.hold(location);
  std::string speed = "nothing to rebuild";
  if (plan) {
    const Stopwatch coding;
    check(plan->run(stripe.pointers(), stripe.chunk_bytes()));
    speed = speed_text(data_capacity(code, stripe.chunk_bytes()), coding.seconds());
  }
  std::vector<std::uint8_t> bytes(decoding.length);
  collect_user_bytes(code, stripe.pointers(), stripe.chunk_bytes(), bytes);
  write_output(decoding.output, bytes, files.permissions);
  note_plans(decoding.run, codec.plan_counts());
  note(fmt::format(
      "decoded {} from chunks of {} in {}, {} lost, read {}: {}, {:.3f} s in all "
      "({})",
      counted(decoding.length, "byte"), counted(stripe.chunk_bytes(), "byte"), decoding.directory,
      chunks_text(files.missing), reading_text(read, bytes_read, files.chunk_bytes), speed,
      all.seconds(), how_text(info, decoding.run.threads)));
}

void repair_raw(const RawRepair& repair) {
  const Code code = code_of(repair.spec, repair.run);
  const Codec codec = CodecAccess::codec_of(code, repair.run);
  const Info info = codec.info();
  const Stopwatch all;
  const ChunkFiles files = find_some(repair.directory, code);
  std::vector<std::size_t> wrong;
  if (repair.deep) {
    const ErrorLocation errors = errors_among(files, code, repair.run);
    check_explained(errors, repair.directory);
    check_assumption(repair, files, errors);
    wrong = errors.wrong;
  }
  std::vector<std::size_t> lost;
  std::ranges::set_union(files.missing, wrong, std::back_inserter(lost));
  if (lost.empty()) {
    return note(fmt::format("nothing to rebuild among the {} of {} in {}",
                            counted(info.locations, "chunk"), counted(files.chunk_bytes, "byte"),
                            repair.directory));
  }
  const Plan plan =
      codec.repair({.erased = lost, .whole_chunks = !has_pieces(code, files.chunk_bytes)});
  check_memory(plan.reads().size() + lost.size(), files.chunk_bytes, 0);
  Stripe stripe(info.locations, files.chunk_bytes);
  std::size_t bytes_read = 0;
  for (const std::size_t location : plan.reads()) {
    bytes_read += read_chunk(files, code, &plan, location, stripe);
  }
  for (const std::size_t location : lost) stripe.hold(location);
  check(plan.run(stripe.pointers(), stripe.chunk_bytes()));
  note_plans(repair.run, codec.plan_counts());
  std::vector<std::span<const std::uint8_t>> rebuilt;
  for (const std::size_t location : files.missing) rebuilt.emplace_back(stripe.chunk(location));
  add_chunk_files(files, files.missing, rebuilt);
  for (const std::size_t location : wrong) {
    const std::filesystem::path kept = keep_chunk_file(files, location);
    note(printable(fmt::format("kept {} of chunk {} as it was: {}",
                               counted(files.chunk_bytes, "byte"), location, kept.string())));
    replace_chunk_file(repair.directory, location, stripe.chunk(location));
  }
  note(fmt::format("rebuilt {} of {}, {} each, in {}, read {}: {:.3f} s ({})", chunks_text(lost),
                   info.locations, counted(files.chunk_bytes, "byte"), repair.directory,
                   reading_text(plan.reads(), bytes_read, files.chunk_bytes), all.seconds(),
                   how_text(info, repair.run.threads)));
}

void verify_raw(const RawVerification& verification) {
  const Code code = code_of(verification.spec, verification.run);
  const ChunkFiles files = find_some(verification.directory, code);
  if (!is_recoverable(code, files.missing)) {
    fail(Status::kDamaged, fmt::format("too many chunks are missing in {}: {}",
                                       verification.directory, short_list(files.missing)));
  }
  const ErrorLocation errors = errors_among(files, code, verification.run);
  constexpr std::array kVerdicts = {"consistent", "located", "unknown"};
  const char* const verdict = kVerdicts[static_cast<std::size_t>(errors.verdict)];
  Json json{{"format", "xorloom-verify-raw"},
            {"version", 2},
            {"code", code.spec},
            {"chunks", code.locations},
            {"chunk_bytes", files.chunk_bytes},
            {"missing", files.missing},
            {"verdict", verdict},
            {"wrong", errors.wrong}};
  if (!errors.wrong.empty()) json["unique_up_to"] = errors.unique_up_to;
  Document document{"Chunk files", std::move(json)};
  document.add(Facts{
      {{"code", code.spec},
       {"chunks", fmt::format("{} of {}: {} there, {} missing", code.locations,
                              counted(files.chunk_bytes, "byte"), files.present.size(),
                              files.missing.size())},
       {"redundancy", errors.verdict == ErrorLocation::Verdict::kConsistent ? "agrees with the data"
                      : !errors.is_smallest()
                          ? "does not agree with the data"
                          : fmt::format("says that these are wrong, {}: {}", assumption_of(errors),
                                        short_list(errors.wrong))}}});
  print(written(document, verification.format));
  check_explained(errors, verification.directory);
  if (files.missing.empty() && errors.wrong.empty()) return;
  if (errors.wrong.empty()) {
    throw RecoverableDamage(fmt::format("{} of {} missing, 0 wrong; run repair --raw to rebuild {}",
                                        files.missing.size(), counted(code.locations, "chunk"),
                                        files.missing.size() == 1 ? "it" : "them"));
  }
  throw RecoverableDamage(fmt::format(
      "{} of {} missing, {} wrong {}{}; if so, and if SPEC is the code that encoded them, "
      "repair --raw --deep --assume-wrong {} rebuilds them",
      files.missing.size(), counted(code.locations, "chunk"), errors.wrong.size(),
      assumption_of(errors), evidence_of_times(files, errors.wrong), errors.unique_up_to));
}

const std::string& only_directory(const std::vector<std::string>& directories) {
  if (directories.size() == 1) return directories.front();
  fail(Status::kInvalidArgument, fmt::format("--raw takes one DIR, not {}", directories.size()));
}

void need_for_raw(bool given, const char* option) {
  if (!given) fail(Status::kInvalidArgument, fmt::format("--raw needs {}", option));
}

void refuse_without_raw(bool given, const char* option) {
  if (given) fail(Status::kInvalidArgument, fmt::format("{} needs --raw", option));
}

void refuse_for_raw(bool given, const char* option) {
  if (given) fail(Status::kInvalidArgument, fmt::format("{} does not go with --raw", option));
}

}  // namespace xorloom::cli
