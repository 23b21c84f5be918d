#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/machine/last_error.hpp"
#include "xorloom/xorloom.h"

struct xl_codec {
  xorloom::Codec codec;
  xorloom::Info info;
};

struct xl_plan {
  xorloom::Plan plan;
};

namespace xorloom {
namespace {

static_assert(XL_OK == static_cast<int>(Status::kOk));
static_assert(XL_INVALID_ARGUMENT == static_cast<int>(Status::kInvalidArgument));
static_assert(XL_PARSE == static_cast<int>(Status::kParse));
static_assert(XL_UNSUPPORTED == static_cast<int>(Status::kUnsupported));
static_assert(XL_IO == static_cast<int>(Status::kIo));
static_assert(XL_DAMAGED == static_cast<int>(Status::kDamaged));
static_assert(XL_INTERNAL == static_cast<int>(Status::kInternal));

/// Where a field begins and ends in its struct.
using FieldBytes = std::pair<std::size_t, std::size_t>;
#define XL_FIELD(type, name) \
  FieldBytes { offsetof(type, name), offsetof(type, name) + sizeof(type::name) }

constexpr std::array kOptionFields = {
    XL_FIELD(xl_options, size),           XL_FIELD(xl_options, threads),
    XL_FIELD(xl_options, packet_bytes),   XL_FIELD(xl_options, isa),
    XL_FIELD(xl_options, executor),       XL_FIELD(xl_options, style),
    XL_FIELD(xl_options, allow_non_mds),  XL_FIELD(xl_options, engine),
    XL_FIELD(xl_options, effort),         XL_FIELD(xl_options, plan_cache_bytes),
    XL_FIELD(xl_options, improves_plans), XL_FIELD(xl_options, atlas)};
constexpr std::array kCountFields = {
    XL_FIELD(xl_plan_counts, size),          XL_FIELD(xl_plan_counts, hits),
    XL_FIELD(xl_plan_counts, misses),        XL_FIELD(xl_plan_counts, dropped),
    XL_FIELD(xl_plan_counts, improved),      XL_FIELD(xl_plan_counts, plans),
    XL_FIELD(xl_plan_counts, bytes),         XL_FIELD(xl_plan_counts, from_atlas),
    XL_FIELD(xl_plan_counts, atlas_damaged), XL_FIELD(xl_plan_counts, code_refused)};
constexpr std::array kInfoFields = {XL_FIELD(xl_info, size),
                                    XL_FIELD(xl_info, locations),
                                    XL_FIELD(xl_info, data),
                                    XL_FIELD(xl_info, rows),
                                    XL_FIELD(xl_info, k),
                                    XL_FIELD(xl_info, m),
                                    XL_FIELD(xl_info, w),
                                    XL_FIELD(xl_info, packet_bytes),
                                    XL_FIELD(xl_info, chunk_multiple),
                                    XL_FIELD(xl_info, spec),
                                    XL_FIELD(xl_info, isa),
                                    XL_FIELD(xl_info, executor)};
#undef XL_FIELD

/// Runs what may throw and turns it into a status: no exception crosses into C.
template <typename Work>
int guarded(const Work& work) noexcept try {
  return static_cast<int>(work());
} catch (...) {
  return static_cast<int>(report_exception());
}

void check_not_null(const void* pointer, const char* name) {
  if (pointer == nullptr) fail(Status::kInvalidArgument, fmt::format("{} is null", name));
}

/// No version will need more; a size that was never set seldom is so small.
constexpr std::size_t kMaxStructBytes = 4096;

template <typename Fields>
void check_size(std::size_t size, const Fields& fields, const char* name) {
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

bool is_given(const char* text) { return text != nullptr && *text != '\0'; }

Options options_of(const xl_options* given) {
  Options options;
  if (given == nullptr) return options;
  check_size(given->size, kOptionFields, "options");
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof(xl_options); i < given->size; ++i) {
    if (bytes[i] == 0) continue;
    fail(Status::kUnsupported,
         fmt::format("options.size = {}, but this library knows only {} bytes, "
                     "and byte {} is not 0",
                     given->size, sizeof(xl_options), i));
  }
  xl_options known{};
  known.threads = options.threads;
  std::memcpy(&known, given, std::min(given->size, sizeof known));
  options.threads = known.threads;
  options.packet_bytes = known.packet_bytes;
  if (is_given(known.isa)) options.isa = parse_isa(known.isa);
  if (is_given(known.executor)) options.executor = parse_executor(known.executor);
  if (is_given(known.style)) options.style = parse_equation_form(known.style);
  options.allow_non_mds = known.allow_non_mds != 0;
  if (known.plan_cache_bytes != 0) options.plan_cache_bytes = known.plan_cache_bytes;
  options.improves_plans = known.improves_plans != 0;
  if (known.plan_cache_bytes == SIZE_MAX) options.plan_cache_bytes = 0;
  if (is_given(known.engine)) options.engine = parse_engine(known.engine);
  if (known.atlas != nullptr) options.atlas = known.atlas;
  if (is_given(known.effort)) options.effort = parse_effort(known.effort);
  return options;
}

std::vector<std::size_t> locations_of(const int* numbers, int count, const char* name) {
  if (count < 0) {
    fail(Status::kInvalidArgument, fmt::format("num_{} = {} is less than 0", name, count));
  }
  if (count > 0) check_not_null(numbers, name);
  std::vector<std::size_t> locations;
  for (int i = 0; i < count; ++i) {
    if (numbers[i] < 0) {
      fail(Status::kInvalidArgument,
           fmt::format("{}[{}] = {} is less than 0", name, i, numbers[i]));
    }
    locations.push_back(static_cast<std::size_t>(numbers[i]));
  }
  return locations;
}

}  // namespace
}  // namespace xorloom

using xorloom::Status;

int xl_codec_create(const char* spec, const xl_options* options, xl_codec** codec) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(codec, "codec");
    *codec = nullptr;
    xorloom::check_not_null(spec, "spec");
    const xorloom::Codec made(spec, xorloom::options_of(options));
    *codec = new xl_codec{made, made.info()};
    return Status::kOk;
  });
}

size_t xl_codec_chunk_multiple(const xl_codec* codec) {
  return codec == nullptr ? 0 : codec->codec.chunk_multiple();
}

int xl_codec_info(const xl_codec* codec, xl_info* info) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(codec, "codec");
    xorloom::check_not_null(info, "info");
    xorloom::check_size(info->size, xorloom::kInfoFields, "info");
    const xorloom::Info& from = codec->info;
    const xl_info known{info->size,
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
                        to_string(from.executor)};
    auto* bytes = reinterpret_cast<unsigned char*>(info);
    std::fill(bytes, bytes + known.size, static_cast<unsigned char>(0));
    std::memcpy(bytes, &known, std::min(known.size, sizeof known));
    return Status::kOk;
  });
}

int xl_encode(const xl_codec* codec, uint8_t* const chunks[], size_t chunk_bytes) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(codec, "codec");
    return codec->codec.encode(chunks, chunk_bytes);
  });
}

int xl_decode(const xl_codec* codec, uint8_t* const chunks[], const int erased[], int num_erased,
              size_t chunk_bytes) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(codec, "codec");
    const std::vector<std::size_t> locations = xorloom::locations_of(erased, num_erased, "erased");
    return codec->codec.decode(chunks, locations, chunk_bytes);
  });
}

int xl_plan_create(const xl_codec* codec, const int erased[], int num_erased, const int wanted[],
                   int num_wanted, xl_plan** plan) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(plan, "plan");
    *plan = nullptr;
    xorloom::check_not_null(codec, "codec");
    const std::vector<std::size_t> lost = xorloom::locations_of(erased, num_erased, "erased");
    const std::vector<std::size_t> some = xorloom::locations_of(wanted, num_wanted, "wanted");
    *plan = new xl_plan{codec->codec.decoding(lost, some)};
    return Status::kOk;
  });
}

int xl_plan_run(const xl_plan* plan, uint8_t* const chunks[], size_t chunk_bytes) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(plan, "plan");
    return plan->plan.run(chunks, chunk_bytes);
  });
}

int xl_alloc_chunks(const xl_codec* codec, size_t chunk_bytes, uint8_t*** chunks) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(chunks, "chunks");
    *chunks = nullptr;
    xorloom::check_not_null(codec, "codec");
    auto owner = std::make_unique<xorloom::Chunks>(codec->codec, chunk_bytes);
    // The pointers, and before them who owns what they point to.
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
  delete reinterpret_cast<xorloom::Chunks*>(pointers[0]);
  delete[] pointers;
}

int xl_codec_plan_counts(const xl_codec* codec, xl_plan_counts* counts) {
  return xorloom::guarded([&] {
    xorloom::check_not_null(codec, "codec");
    xorloom::check_not_null(counts, "counts");
    xorloom::check_size(counts->size, xorloom::kCountFields, "counts");
    const xorloom::PlanCounts from = codec->codec.plan_counts();
    const xl_plan_counts known{counts->size,       from.hits,        from.misses, from.dropped,
                               from.improved,      from.plans,       from.bytes,  from.from_atlas,
                               from.atlas_damaged, from.code_refused};
    auto* bytes = reinterpret_cast<unsigned char*>(counts);
    std::fill(bytes, bytes + known.size, static_cast<unsigned char>(0));
    std::memcpy(bytes, &known, std::min(known.size, sizeof known));
    return Status::kOk;
  });
}

void xl_plan_destroy(xl_plan* plan) { delete plan; }

void xl_codec_destroy(xl_codec* codec) { delete codec; }

const char* xl_strerror(int status) { return xorloom::to_string(static_cast<Status>(status)); }

const char* xl_last_error(void) { return xorloom::last_error(); }
