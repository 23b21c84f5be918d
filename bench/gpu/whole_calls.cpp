#include "bench/gpu/whole_calls.hpp"

#include <algorithm>
#include <random>

namespace xorloom::gpu_bench {
namespace {

Options options_for(const std::string& executor) {
  Options options;
  options.executor = parse_executor(executor);
  return options;
}

void check(Status status, const char* what) {
  if (status != Status::kOk) throw Error(status, what);
}

}  // namespace

WholeCalls::WholeCalls(const std::string& spec, const std::string& executor,
                       std::size_t chunk_bytes)
    : codec_(spec, options_for(executor)),
      chunk_bytes_(codec_.round_up(chunk_bytes)),
      chunks_(codec_, chunk_bytes_) {
  std::mt19937_64 random{1};
  for (std::size_t l = 0; l < chunks_.size(); ++l) {
    for (std::uint8_t& byte : chunks_[l]) byte = static_cast<std::uint8_t>(random());
  }
  check(codec_.encode(chunks(), chunk_bytes_), "encoding fails");
  const Codec processor(spec, options_for(kProcessor));
  check(processor.verify(chunks(), chunk_bytes_), "the device computes other bytes");
}

double WholeCalls::seconds_of_encoding(const Effort& effort) {
  return seconds_of_call([&] { check(codec_.encode(chunks(), chunk_bytes()), "encoding fails"); },
                         effort);
}

double WholeCalls::seconds_of_decoding(const std::vector<std::size_t>& lost, const Effort& effort) {
  for (const std::size_t l : lost) std::ranges::fill(chunks_[l], std::uint8_t{0});
  const double seconds = seconds_of_call(
      [&] { check(codec_.decode(chunks(), lost, chunk_bytes()), "decoding fails"); }, effort);
  check(codec_.verify(chunks(), chunk_bytes()), "the device rebuilds other bytes");
  return seconds;
}

std::vector<double> WholeCalls::seconds_of_encodings(std::size_t count) {
  return seconds_of_single_calls(
      [&] { check(codec_.encode(chunks(), chunk_bytes()), "encoding fails"); }, count);
}

}  // namespace xorloom::gpu_bench
