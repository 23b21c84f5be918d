#include "integrations/mpi/call.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace xorloom::mpi {
namespace {

constexpr std::size_t kDefaultSliceBytes = std::size_t{256} << 10;
constexpr std::size_t kMostSliceBytes = std::size_t{1} << 30;
constexpr int kMostSlices = 64;
constexpr std::size_t kMostLabelBytes = 128;

[[noreturn]] void refuse(const std::string& sentence) {
  throw Error(Status::kInvalidArgument, sentence);
}

void check(const Options& options) {
  const std::string& label = options.label;
  const bool is_name =
      std::ranges::all_of(label, [](char c) { return c > 0x20 && c < 0x7f && c != '/'; });
  if (label.empty() || label.size() > kMostLabelBytes || !is_name) {
    refuse("the label '" + label.substr(0, kMostLabelBytes) + "' is not 1 to " +
           std::to_string(kMostLabelBytes) + " printable characters without spaces and slashes");
  }
  if (options.slices_in_flight < 1 || options.slices_in_flight > kMostSlices) {
    refuse("slices_in_flight = " + std::to_string(options.slices_in_flight) +
           " is not one of 1 to " + std::to_string(kMostSlices));
  }
  if (options.permissions > 0777) {
    refuse("permissions = " + std::to_string(options.permissions) + " are not at most 0777");
  }
  if (options.block_bytes > kMostSliceBytes || options.slice_bytes > kMostSliceBytes) {
    refuse("blocks of " + std::to_string(options.block_bytes) + " and slices of " +
           std::to_string(options.slice_bytes) + " bytes are not at most " +
           std::to_string(kMostSliceBytes));
  }
}

}  // namespace

void check_options(const Communicator& comm, const Options& options, std::string_view spec) {
  agree_on(comm, [&] { check(options); });
  agree_on_same(comm, std::string(spec), "spec");
  agree_on_same(comm, options.label, "label");
  agree_on_same(comm,
                "blocks of " + std::to_string(options.block_bytes) + ", slices of " +
                    std::to_string(options.slice_bytes) + ", domains " +
                    std::to_string(static_cast<int>(options.domains)) +
                    (options.route ? ", a route" : ", no route"),
                "set of options");
}

Codec codec_of(const Communicator& comm, const std::string& spec, const Options& options) {
  std::optional<Codec> codec;
  agree_on(comm, [&] {
    codec.emplace(spec, options.codec);
    const std::size_t n = codec->info().locations;
    if (n > kMostLocations) {
      throw Error(Status::kUnsupported, "the code has " + std::to_string(n) +
                                            " locations, more than " +
                                            std::to_string(kMostLocations));
    }
  });
  return *std::move(codec);
}

Slices slices_of(const ShardHeader& header, const Options& options) {
  const std::size_t bytes = options.slice_bytes == 0 ? kDefaultSliceBytes : options.slice_bytes;
  Slices slices{&header, 1};
  slices.blocks_per_slice = std::max<std::size_t>(1, bytes / slices.framed_stride());
  return slices;
}

}  // namespace xorloom::mpi
