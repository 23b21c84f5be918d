// Memory of the host and streams: the tables of the slides on storage in clouds.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/gpu/codes.hpp"
#include "bench/gpu/resident.hpp"
#include "bench/gpu/tables.hpp"

namespace xorloom::gpu_bench {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

}  // namespace

void print_host_memory(const Bench& bench) {
  const std::size_t bytes = bench.is_quick ? 4 * kMebibyte : 256 * kMebibyte;
  const std::unique_ptr<DeviceLane> lane = bench.device->make_lane(bytes);
  std::vector<std::uint8_t> pageable(bytes, 1);
  std::fill_n(lane->host(), bytes, std::uint8_t{1});
  const auto to_device = [&](std::uint8_t* host) {
    return seconds_of_copy(
        *lane, [&] { lane->copy_in(0, host, bytes); }, bench.effort());
  };
  const auto to_host = [&](std::uint8_t* host) {
    return seconds_of_copy(
        *lane, [&] { lane->copy_out(host, 0, bytes); }, bench.effort());
  };
  const auto per_second = [&](const auto& seconds, std::uint8_t* host) {
    return rate([&] { return static_cast<double>(bytes) / seconds(host); });
  };
  print_head({"memory of the host", "to the device", "to the host"});
  print_row(
      {"pageable", per_second(to_device, pageable.data()), per_second(to_host, pageable.data())});
  print_row({"pinned", per_second(to_device, lane->host()), per_second(to_host, lane->host())});
}

namespace {

/// Encodes a file that lies in pinned memory, slice after slice, on several streams at once.
class StreamedFile {
 public:
  StreamedFile(const Bench& bench, std::size_t streams, std::size_t slice_bytes) {
    const Code code = code_of(Family::kWords, 4, 2);
    for (std::size_t i = 0; i < streams; ++i) {
      streams_.push_back(
          std::make_unique<DeviceWork>(bench.device, code, encoding_of(code), slice_bytes, 0));
      fill_and_check(*streams_.back(), code);
    }
  }

  void encode(std::size_t slices) {
    for (std::size_t i = 0; i < slices; ++i) {
      DeviceWork& stream = *streams_[i % streams_.size()];
      if (i >= streams_.size()) stream.finish();
      stream.copy_in(0);
      stream.launch(0);
      stream.copy_out(0);
      stream.flush();
    }
    for (const auto& stream : streams_) stream->finish();
  }

 private:
  std::vector<std::unique_ptr<DeviceWork>> streams_;
};

}  // namespace

void print_streams(const Bench& bench) {
  const std::size_t slice = bench.is_quick ? kMebibyte / 4 : 4 * kMebibyte;
  const std::vector<std::size_t> files =
      bench.is_quick ? std::vector<std::size_t>{10, 20}
                     : std::vector<std::size_t>{1000, 1200, 1400, 1600, 1800, 2000};
  std::vector<std::string> head{"file, MB"};
  for (int streams = 1; streams <= 4; ++streams) {
    head.push_back(fmt::format("{} stream{}", streams, streams == 1 ? "" : "s"));
  }
  print_head(head);
  for (const std::size_t megabytes : files) {
    const std::size_t slices = (megabytes * 1'000'000 + 4 * slice - 1) / (4 * slice);
    std::vector<std::string> row{fmt::to_string(megabytes)};
    for (std::size_t streams = 1; streams <= 4; ++streams) {
      row.push_back(rate([&] {
        StreamedFile file(bench, streams, slice);
        const double seconds = seconds_of_call([&] { file.encode(slices); }, bench.effort());
        return static_cast<double>(4 * slices * slice) / seconds;
      }));
    }
    print_row(row);
  }
}

}  // namespace xorloom::gpu_bench
