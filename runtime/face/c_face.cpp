#include "runtime/face/c_face.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/stripes/fragment_header.hpp"
#include "xorloom/error_location.hpp"
#include "xorloom/fragment.hpp"

namespace xorloom {
namespace {

static_assert(XL_OK == static_cast<int>(Status::kOk));
static_assert(XL_INVALID_ARGUMENT == static_cast<int>(Status::kInvalidArgument));
static_assert(XL_PARSE == static_cast<int>(Status::kParse));
static_assert(XL_UNSUPPORTED == static_cast<int>(Status::kUnsupported));
static_assert(XL_IO == static_cast<int>(Status::kIo));
static_assert(XL_DAMAGED == static_cast<int>(Status::kDamaged));
static_assert(XL_INTERNAL == static_cast<int>(Status::kInternal));

static_assert(XL_CONSISTENT == static_cast<int>(ErrorLocation::Verdict::kConsistent));
static_assert(XL_LOCATED == static_cast<int>(ErrorLocation::Verdict::kLocated));
static_assert(XL_UNKNOWN == static_cast<int>(ErrorLocation::Verdict::kUnknown));

/// No version will need more; a size that was never set seldom is this small.
constexpr std::size_t kMaxStructBytes = 4096;

auto option_fields() {
  return bytes_of(&xl_options::size, &xl_options::threads, &xl_options::packet_bytes,
                  &xl_options::isa, &xl_options::executor, &xl_options::style,
                  &xl_options::allow_non_mds, &xl_options::engine, &xl_options::effort,
                  &xl_options::plan_cache_bytes, &xl_options::improves_plans, &xl_options::atlas,
                  &xl_options::awake_microseconds, &xl_options::wisdom);
}
auto count_fields() {
  return bytes_of(&xl_plan_counts::size, &xl_plan_counts::hits, &xl_plan_counts::misses,
                  &xl_plan_counts::dropped, &xl_plan_counts::improved, &xl_plan_counts::plans,
                  &xl_plan_counts::bytes, &xl_plan_counts::from_atlas,
                  &xl_plan_counts::atlas_damaged, &xl_plan_counts::code_refused);
}
auto location_fields() {
  return bytes_of(&xl_error_location::size, &xl_error_location::verdict,
                  &xl_error_location::num_wrong, &xl_error_location::unique_up_to);
}

/// Checks the pointers, then calls `locate` and writes its result to them.
template <typename Locate>
Status give_location(int wrong[], xl_error_location* found, const Locate& locate) {
  check_not_null(wrong, "wrong");
  check_not_null(found, "found");
  const ErrorLocation location = locate();
  const xl_error_location known{0, static_cast<int>(location.verdict),
                                static_cast<int>(location.wrong.size()),
                                static_cast<int>(location.unique_up_to)};
  fill_struct(found, known, location_fields(), "found");
  std::ranges::transform(location.wrong, wrong,
                         [](std::size_t chunk) { return static_cast<int>(chunk); });
  return Status::kOk;
}

auto info_fields() {
  return bytes_of(&xl_info::size, &xl_info::locations, &xl_info::data, &xl_info::rows, &xl_info::k,
                  &xl_info::m, &xl_info::w, &xl_info::packet_bytes, &xl_info::chunk_multiple,
                  &xl_info::spec, &xl_info::isa, &xl_info::executor, &xl_info::units,
                  &xl_info::code_memory, &xl_info::devices);
}

bool is_given(const char* text) { return text != nullptr && *text != '\0'; }

Options options_of(const xl_options* given) {
  Options options;
  if (given == nullptr) return options;
  const xl_options known = given_struct(*given, option_fields(), "options");
  // 0 threads: in C++ all of the machine; in C the default, as in every field.
  if (known.threads != 0) options.threads = known.threads;
  if (known.threads == XL_ALL_THREADS) options.threads = 0;
  options.packet_bytes = known.packet_bytes;
  if (is_given(known.isa)) options.isa = parse_isa(known.isa);
  if (is_given(known.executor)) options.executor = parse_executor(known.executor);
  if (is_given(known.style)) options.style = parse_equation_form(known.style);
  options.allow_non_mds = known.allow_non_mds != 0;
  if (known.plan_cache_bytes != 0) options.plan_cache_bytes = known.plan_cache_bytes;
  options.improves_plans = known.improves_plans > 0;
  if (known.plan_cache_bytes == SIZE_MAX) options.plan_cache_bytes = 0;
  if (is_given(known.engine)) options.engine = parse_engine(known.engine);
  if (known.atlas != nullptr) options.atlas = known.atlas;
  options.awake_microseconds = known.awake_microseconds;
  if (known.wisdom != nullptr) options.wisdom = known.wisdom;
  if (is_given(known.effort)) options.effort = parse_effort(known.effort);
  return options;
}

/// Runs a batch with statuses of C++, and copies these to the caller's array. If `work` throws, all
/// stripes get the status of that.
template <typename Work>
int run_batch(const xl_codec* codec, uint8_t* const* const* stripes, std::size_t num_stripes,
              int* statuses, const Work& work) noexcept {
  bool is_done = false;
  const int result = guarded("codec", codec, [&] {
    if (num_stripes != 0) check_not_null(stripes, "stripes");
    std::vector<Status> of_stripes(statuses != nullptr ? num_stripes : 0);
    const Status status = work(std::span(of_stripes));
    std::ranges::transform(of_stripes, statuses, [](Status of) { return static_cast<int>(of); });
    is_done = true;
    return status;
  });
  if (!is_done && statuses != nullptr) std::fill_n(statuses, num_stripes, result);
  return result;
}

}  // namespace

void check_not_null(const void* pointer, const char* name) {
  if (pointer == nullptr) fail(Status::kInvalidArgument, fmt::format("{} is null", name));
}

void check_count(int count, std::size_t most, const char* name, const char* of_what) {
  if (count < 0) {
    fail(Status::kInvalidArgument, fmt::format("num_{} = {} is less than 0", name, count));
  }
  if (static_cast<std::size_t>(count) > most) {
    fail(Status::kInvalidArgument,
         fmt::format("num_{} = {} exceeds the {} {}", name, count, most, of_what));
  }
}

std::vector<std::size_t> numbers_of(const xl_codec& codec, const int* numbers, int count,
                                    const char* name) {
  check_count(count, codec.info.locations, name, "locations of the code");
  if (count > 0) check_not_null(numbers, name);
  std::vector<std::size_t> result;
  for (int i = 0; i < count; ++i) {
    if (numbers[i] < 0) {
      fail(Status::kInvalidArgument,
           fmt::format("{}[{}] = {} is less than 0", name, i, numbers[i]));
    }
    result.push_back(static_cast<std::size_t>(numbers[i]));
  }
  return result;
}

DeviceChunks device_chunks(void* memory, const std::uint64_t* places, std::size_t locations,
                           void* queue) {
  check_not_null(places, "places");
  return {{places, locations}, memory, queue};
}

void check_size(std::size_t size, std::span<const FieldBytes> fields, const char* name) {
  if (size < sizeof(std::size_t) || size > kMaxStructBytes) {
    fail(Status::kInvalidArgument, fmt::format("{}.size = {} is not one of {} to {}", name, size,
                                               sizeof(std::size_t), kMaxStructBytes));
  }
  for (const auto& [begin, end] : fields) {
    if (begin < size && size < end) {
      fail(Status::kInvalidArgument,
           fmt::format("{}.size = {} ends inside the field of bytes {} to {}", name, size, begin,
                       end - 1));
    }
  }
}

}  // namespace xorloom

using namespace xorloom;

int xl_codec_create(const char* spec, const xl_options* options, xl_codec** codec) {
  return guarded("codec", codec, [&] {
    *codec = nullptr;
    check_not_null(spec, "spec");
    const Codec made(spec, options_of(options));
    *codec = new xl_codec{made, made.info()};
    return Status::kOk;
  });
}

size_t xl_codec_chunk_multiple(const xl_codec* codec) {
  return codec == nullptr ? 0 : codec->codec.chunk_multiple();
}

size_t xl_round_up(const xl_codec* codec, size_t chunk_bytes) {
  return codec == nullptr ? 0 : codec->codec.round_up(chunk_bytes);
}

int xl_codec_info(const xl_codec* codec, xl_info* info) {
  return guarded("codec", codec, [&] {
    check_not_null(info, "info");
    const Info& from = codec->info;
    const xl_info known{0,
                        from.locations,
                        from.data_cells,
                        from.rows,
                        from.k,
                        from.m,
                        from.w,
                        from.packet_bytes,
                        from.chunk_multiple,
                        from.spec.c_str(),
                        to_string(from.isa),
                        to_string(from.executor),
                        from.units,
                        to_string(codec->codec.info().code_memory),
                        from.devices.c_str()};
    fill_struct(info, known, info_fields(), "info");
    return Status::kOk;
  });
}

int xl_encode(const xl_codec* codec, uint8_t* const chunks[], size_t chunk_bytes) {
  return guarded("codec", codec, [&] { return codec->codec.encode(chunks, chunk_bytes); });
}

int xl_decode(const xl_codec* codec, uint8_t* const chunks[], const int erased[], int num_erased,
              size_t chunk_bytes) {
  return guarded("codec", codec, [&] {
    return codec->codec.decode(chunks, numbers_of(*codec, erased, num_erased, "erased"),
                               chunk_bytes);
  });
}

int xl_decode_wanted(const xl_codec* codec, uint8_t* const chunks[], const int erased[],
                     int num_erased, const int wanted[], int num_wanted, size_t chunk_bytes) {
  return guarded("codec", codec, [&] {
    return codec->codec.decode(chunks, numbers_of(*codec, erased, num_erased, "erased"),
                               numbers_of(*codec, wanted, num_wanted, "wanted"), chunk_bytes);
  });
}

int xl_encode_batch(const xl_codec* codec, uint8_t* const* const stripes[], size_t num_stripes,
                    size_t chunk_bytes, int statuses[]) {
  return run_batch(codec, stripes, num_stripes, statuses, [&](std::span<Status> of_stripes) {
    return codec->codec.encode_batch({stripes, num_stripes}, chunk_bytes, of_stripes);
  });
}

int xl_decode_batch(const xl_codec* codec, uint8_t* const* const stripes[], size_t num_stripes,
                    const int* const erased[], const int num_erased[], size_t num_sets,
                    size_t chunk_bytes, int statuses[]) {
  return run_batch(codec, stripes, num_stripes, statuses, [&](std::span<Status> of_stripes) {
    if (num_sets != 1 && num_sets != num_stripes) {
      fail(Status::kInvalidArgument,
           fmt::format("num_sets = {} is neither num_stripes = {} nor 1", num_sets, num_stripes));
    }
    if (num_sets != 0) check_not_null(erased, "erased");
    if (num_sets != 0) check_not_null(num_erased, "num_erased");
    std::vector<std::vector<std::size_t>> sets(num_sets);
    std::vector<std::span<const std::size_t>> losses(num_sets);
    for (std::size_t i = 0; i < num_sets; ++i) {
      sets[i] = numbers_of(*codec, erased[i], num_erased[i], "erased");
      losses[i] = sets[i];
    }
    return codec->codec.decode_batch({stripes, num_stripes}, losses, chunk_bytes, of_stripes);
  });
}

int xl_encode_device(const xl_codec* codec, void* memory, const uint64_t places[], void* queue,
                     size_t chunk_bytes) {
  return guarded("codec", codec, [&] {
    return codec->codec.encode_device(device_chunks(memory, places, codec->info.locations, queue),
                                      chunk_bytes);
  });
}

int xl_decode_device(const xl_codec* codec, void* memory, const uint64_t places[],
                     const int erased[], int num_erased, void* queue, size_t chunk_bytes) {
  return guarded("codec", codec, [&] {
    const std::vector<std::size_t> locations = numbers_of(*codec, erased, num_erased, "erased");
    return codec->codec.decode_device(device_chunks(memory, places, codec->info.locations, queue),
                                      locations, chunk_bytes);
  });
}

int xl_alloc_chunks(const xl_codec* codec, size_t chunk_bytes, uint8_t*** chunks) {
  return guarded("chunks", chunks, [&] {
    *chunks = nullptr;
    check_not_null(codec, "codec");
    auto owner = std::make_unique<Chunks>(codec->codec, chunk_bytes);
    // First who owns the chunks, then the pointers; the caller gets the address of the latter.
    auto pointers = std::make_unique<uint8_t*[]>(owner->size() + 1);
    std::copy_n(owner->data(), owner->size(), pointers.get() + 1);
    pointers[0] = reinterpret_cast<uint8_t*>(owner.release());
    *chunks = pointers.release() + 1;
    return Status::kOk;
  });
}

void xl_free_chunks(uint8_t** chunks) {
  if (chunks == nullptr) return;
  uint8_t** const pointers = chunks - 1;
  delete reinterpret_cast<Chunks*>(pointers[0]);
  delete[] pointers;
}

int xl_codec_plan_counts(const xl_codec* codec, xl_plan_counts* counts) {
  return guarded("codec", codec, [&] {
    check_not_null(counts, "counts");
    const PlanCounts from = codec->codec.plan_counts();
    const xl_plan_counts known{
        0,          from.hits,  from.misses,     from.dropped,       from.improved,
        from.plans, from.bytes, from.from_atlas, from.atlas_damaged, from.code_refused};
    fill_struct(counts, known, count_fields(), "counts");
    return Status::kOk;
  });
}

void xl_codec_destroy(xl_codec* codec) { delete codec; }

const char* xl_strerror(int status) { return to_string(static_cast<Status>(status)); }

int xl_verify(const xl_codec* codec, const uint8_t* const chunks[], size_t chunk_bytes) {
  return guarded("codec", codec, [&] { return codec->codec.verify(chunks, chunk_bytes); });
}

int xl_locate_errors(const xl_codec* codec, const uint8_t* const chunks[], size_t chunk_bytes,
                     const int lost[], int num_lost, int wrong[], xl_error_location* found) {
  return guarded("codec", codec, [&] {
    return give_location(wrong, found, [&] {
      return codec->codec.locate_errors(chunks, chunk_bytes,
                                        numbers_of(*codec, lost, num_lost, "lost"));
    });
  });
}

size_t xl_fingerprint_bytes(const xl_codec* codec) {
  return codec == nullptr ? 0 : codec->codec.fingerprint_bytes();
}

int xl_fingerprint(const xl_codec* codec, const uint8_t* chunk, size_t chunk_bytes, uint64_t key,
                   uint8_t* fingerprint) {
  return guarded("codec", codec, [&] {
    return codec->codec.fingerprint(chunk, chunk_bytes, key,
                                    {fingerprint, codec->codec.fingerprint_bytes()});
  });
}

int xl_check_fingerprints(const xl_codec* codec, const uint8_t* const fingerprints[],
                          const int lost[], int num_lost, int wrong[], xl_error_location* found) {
  return guarded("codec", codec, [&] {
    return give_location(wrong, found, [&] {
      return codec->codec.check_fingerprints(fingerprints,
                                             numbers_of(*codec, lost, num_lost, "lost"));
    });
  });
}

int xl_update(const xl_codec* codec, int location, const uint8_t* old_data, const uint8_t* new_data,
              uint8_t* const chunks[], size_t chunk_bytes) {
  return guarded("codec", codec, [&] {
    if (location < 0) {
      return report(Status::kInvalidArgument, "location = {} is less than 0", location);
    }
    return codec->codec.update(static_cast<std::size_t>(location), old_data, new_data, chunks,
                               chunk_bytes);
  });
}

size_t xl_data_bytes(const xl_codec* codec, size_t chunk_bytes) {
  return codec == nullptr ? 0 : codec->codec.data_bytes(chunk_bytes);
}

size_t xl_chunk_bytes_for(const xl_codec* codec, size_t data_bytes) {
  size_t chunk_bytes = 0;
  static_cast<void>(guarded("codec", codec, [&] {
    chunk_bytes = codec->codec.chunk_bytes_for(data_bytes);
    return Status::kOk;
  }));
  return chunk_bytes;
}

int xl_spread(const xl_codec* codec, const uint8_t* data, size_t data_bytes,
              uint8_t* const chunks[], size_t chunk_bytes) {
  return guarded("codec", codec, [&] {
    return codec->codec.spread({data, data_bytes}, chunks, chunk_bytes);
  });
}

int xl_collect(const xl_codec* codec, const uint8_t* const chunks[], size_t chunk_bytes,
               uint8_t* data, size_t data_bytes) {
  return guarded("codec", codec, [&] {
    return codec->codec.collect(chunks, chunk_bytes, {data, data_bytes});
  });
}

void xl_set_log(xl_log log, void* context) { set_log(log, context); }

const char* xl_last_error(void) { return last_error(); }

int xl_make_fragments(const xl_codec* codec, const uint8_t* data, size_t data_bytes,
                      uint8_t* const fragments[], size_t fragment_bytes) {
  return guarded("codec", codec, [&] {
    check_not_null(fragments, "fragments");
    if (data_bytes != 0) check_not_null(data, "data");
    const std::size_t chunk_bytes = codec->codec.chunk_bytes_for(data_bytes);
    if (fragment_bytes != kFragmentHeaderBytes + chunk_bytes) {
      fail(Status::kInvalidArgument,
           fmt::format("fragment_bytes = {} is not {} + {}", fragment_bytes, kFragmentHeaderBytes,
                       chunk_bytes));
    }
    for (std::size_t i = 0; i < codec->info.locations; ++i) {
      check_not_null(fragments[i], "a fragment");
    }
    fill_fragments(codec->codec, {data, data_bytes}, fragments, chunk_bytes);
    return Status::kOk;
  });
}

int xl_set_fragment_stripe(uint8_t* fragment, size_t fragment_bytes, uint64_t stripe) {
  return guarded("fragment", fragment, [&] {
    set_fragment_stripe(stripe, {fragment, fragment_bytes});
    return Status::kOk;
  });
}

int xl_write_fragment_header(const xl_codec* codec, const xl_fragment* about, uint8_t* fragment) {
  return guarded("codec", codec, [&] {
    check_not_null(about, "about");
    check_not_null(fragment, "fragment");
    write_fragment_header(codec->codec, {about->location, about->chunk_bytes, about->data_bytes},
                          fragment);
    return Status::kOk;
  });
}

int xl_read_fragment_header(const uint8_t* fragment, size_t fragment_bytes, xl_fragment* about) {
  return guarded("fragment", fragment, [&] {
    check_not_null(about, "about");
    const Fragment found = read_fragment_header({fragment, fragment_bytes});
    *about = {found.location, found.chunk_bytes, found.data_bytes};
    return Status::kOk;
  });
}

int xl_join_fragments(const xl_codec* codec, const uint8_t* const fragments[],
                      const size_t fragment_bytes[], size_t num_fragments, uint8_t* data,
                      size_t data_bytes) {
  return guarded("codec", codec, [&] {
    if (num_fragments != 0) {
      check_not_null(fragments, "fragments");
      check_not_null(fragment_bytes, "fragment_bytes");
    }
    std::vector<std::span<const std::uint8_t>> given;
    for (std::size_t i = 0; i < num_fragments; ++i) {
      if (fragments[i] != nullptr) given.emplace_back(fragments[i], fragment_bytes[i]);
    }
    const std::vector<std::uint8_t> joined = join_fragments(codec->codec, given);
    if (joined.size() != data_bytes) {
      fail(Status::kInvalidArgument, fmt::format("data_bytes = {} is not the {} of the fragments",
                                                 data_bytes, joined.size()));
    }
    if (data_bytes != 0) {
      check_not_null(data, "data");
      std::copy(joined.begin(), joined.end(), data);
    }
    return Status::kOk;
  });
}
