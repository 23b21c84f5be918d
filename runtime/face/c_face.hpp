#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/machine/last_error.hpp"
#include "xorloom/split_repair.hpp"
#include "xorloom/xorloom.h"

// Shared by the functions of the C face: the handles, the conversion of exceptions to statuses, and
// the structs of which a later version may have more fields.

struct xl_codec {
  xorloom::Codec codec;
  xorloom::Info info;
};

struct xl_plan {
  explicit xl_plan(xorloom::Plan made);

  xorloom::Plan plan;
  std::vector<int> reads;
  std::vector<int> writes;
};

struct xl_split {
  std::size_t home;
  std::vector<xorloom::SplitRepair::Site> sites;
  std::vector<xl_plan> plans;  ///< a plan for each site
};

namespace xorloom {

/// Runs `work` and turns exceptions into a status: no exception crosses into C.
template <typename Work>
int guarded(const Work& work) noexcept try {
  return static_cast<int>(work());
} catch (...) {
  return static_cast<int>(report_exception());
}

/// Throws kInvalidArgument: "codec is null".
void check_not_null(const void* pointer, const char* name);

/// Like guarded(work), but fails with kInvalidArgument if `pointer` is null.
template <typename Work>
int guarded(const char* name, const void* pointer, const Work& work) noexcept {
  return guarded([&] {
    check_not_null(pointer, name);
    return work();
  });
}

/// Makes a handle for a caller; sets it to null if it cannot be made.
template <typename Handle, typename Make>
int make_handle(const xl_codec* codec, Handle** handle, const char* name,
                const Make& make) noexcept {
  return guarded(name, handle, [&] {
    *handle = nullptr;
    check_not_null(codec, "codec");
    *handle = make();
    return Status::kOk;
  });
}

/// Throws kInvalidArgument unless 0 <= `count` <= `most`: "num_erased = 9 exceeds the 6 locations
/// of the code". To be called before any of a caller's `count` numbers is read.
void check_count(int count, std::size_t most, const char* name, const char* of_what);

/// The numbers that a caller gives: none is less than 0, at most one per location of the code.
///
/// Errors: throws kInvalidArgument: "erased[1] = -3 is less than 0".
std::vector<std::size_t> numbers_of(const xl_codec& codec, const int* numbers, int count,
                                    const char* name);

/// Chunks on a device, as a caller gives them.
///
/// Errors: throws kInvalidArgument if places is null.
DeviceChunks device_chunks(void* memory, const std::uint64_t* places, std::size_t locations,
                           void* queue);

/// Offsets of the beginning and the end of a field in its struct.
using FieldBytes = std::pair<std::size_t, std::size_t>;

/// Offsets of some fields of a struct.
template <typename Struct, typename... Fields>
auto bytes_of(Fields Struct::*... fields) {
  const Struct some{};
  const auto begin_of = [&](const auto& field) {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&field) -
                                    reinterpret_cast<const char*>(&some));
  };
  return std::array{FieldBytes{begin_of(some.*fields), begin_of(some.*fields) + sizeof(Fields)}...};
}

/// Throws kInvalidArgument if `size` ends inside a field, or is out of the bounds of any struct.
void check_size(std::size_t size, std::span<const FieldBytes> fields, const char* name);

/// The fields that a caller gives; those past the caller's `size` are 0.
///
/// Errors: throws as check_size, and kUnsupported if a byte past the library's struct is not 0.
template <typename Struct>
Struct given_struct(const Struct& given, std::span<const FieldBytes> fields, const char* name) {
  check_size(given.size, fields, name);
  const auto* bytes = reinterpret_cast<const unsigned char*>(&given);
  for (std::size_t i = sizeof(Struct); i < given.size; ++i) {
    if (bytes[i] == 0) continue;
    fail(Status::kUnsupported, fmt::format("{}.size = {}, but this library knows only {} bytes, "
                                           "and byte {} is not 0",
                                           name, given.size, sizeof(Struct), i));
  }
  Struct known{};
  std::memcpy(&known, &given, std::min(given.size, sizeof(Struct)));
  return known;
}

/// Writes the fields for which the caller has room; bytes past the library's struct become 0.
///
/// Errors: throws as check_size.
template <typename Struct>
void fill_struct(Struct* out, Struct known, std::span<const FieldBytes> fields, const char* name) {
  const std::size_t size = out->size;
  check_size(size, fields, name);
  known.size = size;
  auto* bytes = reinterpret_cast<unsigned char*>(out);
  std::fill(bytes, bytes + size, static_cast<unsigned char>(0));
  std::memcpy(bytes, &known, std::min(size, sizeof(Struct)));
}

}  // namespace xorloom
