#pragma once

// The C++ interface of Xorloom. A Codec is an erasure code prepared for this machine. A Plan is one
// computation of a codec: encoding, or rebuilding given lost chunks. Both are immutable values that
// are cheap to copy and that many threads may use at once.
//
//   xorloom::Codec codec("cauchy-good:k=10,m=4,w=8");
//   std::size_t chunk_bytes = codec.round_up(wanted_chunk_bytes);
//   // chunks[0..9] point at data, chunks[10..13] at room for redundancy, chunk_bytes each
//   xorloom::Status status = codec.encode(chunks, chunk_bytes);
//
// Functions that touch user bytes return a Status and do not throw. Others throw Error on failure.

#include "xorloom/options.hpp"

#if defined(__cplusplus) && __cplusplus >= 202002L  // else options.hpp has said what it needs

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xorloom/version.h"

namespace xorloom {

/// The result of a call. The numbers are those of xorloom.h.
// clang-format off
enum class [[nodiscard]] Status : int {
  kOk = 0,
  kInvalidArgument = 1,  ///< an argument is wrong, such as a value out of its bounds
  kParse = 2,            ///< a text or a file is not in the expected format
  kUnsupported = 3,      ///< this machine or build cannot do it, or memory ran out
  kIo = 4,               ///< reading or writing failed
  kDamaged = 5,          ///< too much is lost or damaged to recover what was asked for
  kInternal = 6,         ///< a check inside Xorloom failed; nothing it computed was kept
};
// clang-format on

/// A short name of a status, for example "invalid argument". Never null.
XORLOOM_API const char* to_string(Status status) noexcept;

/// The only exception type. what() is a sentence that names the value and the bound.
class XORLOOM_API Error : public std::runtime_error {
 public:
  Error(Status kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  Status kind() const noexcept { return kind_; }

 private:
  Status kind_;
};

/// A function that takes a sentence for a log file, and the pointer that set_log was given.
using Log = void (*)(const char* sentence, void* context);

/// Sets the function that hears why Xorloom is slower in this process than it could be: machine
/// code got no executable memory, or was not accepted, or a device did not do what it was asked
/// for. It hears each of the three at most once. Null, as at the beginning, hears nothing.
///
/// Any thread that makes or runs a plan may call the function, one at a time. The function must not
/// throw, and must not call set_log. When set_log returns, the function before is not running and
/// will not be called again.
XORLOOM_API void set_log(Log log, void* context) noexcept;

/// Counts of the decoding plans that a codec keeps, and of its use of an atlas.
struct PlanCounts {
  std::uint64_t hits;      ///< calls that found their plan in the cache
  std::uint64_t misses;    ///< calls that had to make their plan
  std::uint64_t dropped;   ///< plans dropped to make room for others
  std::uint64_t improved;  ///< plans remade, see Options::improves_plans
  std::size_t plans;       ///< plans in the cache now
  std::size_t bytes;       ///< bytes of the plans in the cache now
  // Of all plans, including those for encoding and for repairs:
  std::uint64_t from_atlas;     ///< plans made from programs of the atlas
  std::uint64_t atlas_damaged;  ///< plans recompiled because their record is damaged
  /// Plans that run kernels with Engine::kAuto because their machine code was refused: it was not
  /// proved, not accepted, or got no executable memory. Expected: 0.
  std::uint64_t code_refused;
};

/// The properties of a codec.
struct Info {
  /// n: chunks per stripe, in the order of the chunk pointers. In most codes data comes first;
  /// `xorloom codes SPEC` shows the order.
  std::size_t locations;
  std::size_t data_cells;    ///< data symbols per stripe: k; more with sub-chunks or in array codes
  std::size_t rows;          ///< R: elements per location
  std::size_t k, m, w;       ///< from the spec; the family sets those without a key
  std::size_t packet_bytes;  ///< 0 if the code runs on words, not on packets
  std::size_t chunk_multiple;  ///< chunk_bytes must be a multiple of this
  std::size_t units;           ///< units per chunk that can be read separately; see Repair
  std::string spec;            ///< canonical: every default written out
  Isa isa;                     ///< the instruction set in use
  Executor executor;           ///< the executor in use
  CodeMemory code_memory;      ///< of the plan that encode() runs now; kNoCode if kernels run
  std::string devices{};       ///< the names of the devices that encode; "" if threads do
};

/// The chunks of a stripe in memory of a device, for executors "opencl" and "cuda". Pointers stand
/// for what the headers of OpenCL and CUDA declare, which are not needed here.
struct DeviceChunks {
  /// Beginnings of the chunks by location, multiples of 8. OpenCL: bytes from the beginning of
  /// `memory`. CUDA: addresses on the device. Chunks that are neither read nor written may have any
  /// value.
  std::span<const std::uint64_t> places{};
  void* memory = nullptr;  ///< OpenCL: the cl_mem that holds all chunks. CUDA: null
  /// OpenCL: the cl_command_queue that the work is put in. CUDA: the CUstream or cudaStream_t; null
  /// is the default stream of the device's primary context.
  void* queue = nullptr;
};

/// A repair: the chunks to rebuild, and the cost of reading the surviving chunks.
///
/// A chunk consists of Info::units units that can be read separately. On packets, unit u is packet
/// u of each super-block. On words, it is sub-chunk u: chunk_bytes/units bytes from
/// u·chunk_bytes/units on.
struct Repair {
  std::vector<std::size_t> erased{};  ///< the lost locations
  std::vector<std::size_t> wanted{};  ///< locations in `erased` to rebuild; empty: all
  /// units[i] lists the units to rebuild of wanted[i], or of erased[i] if wanted is empty,
  /// ascending. If units is empty, all units of all of them are rebuilt. Other units may stay
  /// unwritten; see Plan::units_written().
  std::vector<std::vector<std::uint32_t>> units{};
  /// For each location, the cost of reading one of its units, 0 to 1,000,000. If it is empty, each
  /// cost is 1. A cost may stand for time, distance or load.
  std::vector<std::uint64_t> read_costs{};
  /// Locations whose chunks are in memory already; the plan may read them at no cost.
  std::vector<std::size_t> at_hand{};
  bool whole_chunks = false;  ///< read either all of a chunk or none of it
};

/// One computation, ready to run on any stripe: encoding, or rebuilding given lost chunks. It may
/// be used after its codec is destroyed.
class XORLOOM_API Plan {
 public:
  /// Runs the plan on one stripe.
  ///
  /// Shape:   chunks holds one pointer per location, to chunk_bytes each; pointers to chunks that
  ///          are neither read nor written may be null.
  /// Buffers: no alignment is needed; written chunks must not overlap any other chunk (checked).
  /// Errors:  kInvalidArgument if chunk_bytes is not a multiple of Codec::chunk_multiple(), a
  ///          needed pointer is null, or buffers overlap; kUnsupported if memory for a shorter last
  ///          block runs out. Then nothing is written. With chunk_bytes = 0 the plan does nothing.
  /// Cost:    on one thread, 32 KiB of stack at most, heap only for shorter blocks. On several,
  ///          oneTBB allocates its tasks; if it cannot, the calling thread computes everything. On
  ///          devices, memory is allocated; if a device fails, threads compute everything.
  Status run(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept;

  /// Puts the plan in a queue of the caller's, to run on one stripe in memory of a device, and
  /// returns. When the queue has done it, the chunks are written.
  ///
  /// Shape:   chunk_bytes as in run(). On words, the bytes of a sub-chunk are a multiple of 8, too.
  /// Buffers: written chunks must not overlap any other chunk (checked). A chunk may not end before
  ///          its last byte; this is not checked.
  /// Errors:  those of run(); kInvalidArgument if there is not one place per location, if a place
  ///          is no multiple of 8, or if the memory is on no device of the codec; kUnsupported if
  ///          the executor runs on no devices, if they cannot run this plan, or if the device
  ///          fails. What fails later, in the queue, the next call on the queue says.
  Status run_device(const DeviceChunks& chunks, std::size_t chunk_bytes) const noexcept;

  /// The locations that the plan reads, and those that it writes, ascending.
  const std::vector<std::size_t>& reads() const noexcept;
  const std::vector<std::size_t>& writes() const noexcept;

  /// The units that the plan reads of a location, ascending; see Repair. The rest of the chunk may
  /// hold any bytes.
  std::span<const std::uint32_t> units_read(std::size_t location) const noexcept;

  /// The units that the plan computes of a location, ascending. Its other units keep their bytes; a
  /// plan of a SplitRepair sets them to zero.
  std::span<const std::uint32_t> units_written(std::size_t location) const noexcept;

 private:
  friend struct PlanAccess;  // the library makes plans
  struct Impl;
  explicit Plan(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

struct SplitRepair;    // in split_repair.hpp
struct ErrorLocation;  // in error_location.hpp

/// An erasure code prepared for this machine.
class XORLOOM_API Codec {
 public:
  /// Prepares the code of a spec, such as "cauchy-good:k=10,m=4,w=8", or of a file, "file:PATH".
  ///
  /// Errors: throws Error: kParse or kInvalidArgument if the spec or an option is wrong,
  ///         kInvalidArgument if the code is not proved to survive what it promises (unless
  ///         allow_non_mds), kIo if reading a file fails, kUnsupported if this machine lacks the
  ///         instruction set, or if its executor needs a device and there is none that encodes. For
  ///         the atlas: kDamaged if its header or index is damaged or it was cut short, kParse if
  ///         it is not an atlas, kInvalidArgument if it is one of another code.
  /// Cost:   a tenth of a millisecond for 10 + 4; with an effort other than kAuto, the time of a
  ///         plan for encoding. Proving that the code survives the losses it promises may take
  ///         longer, unless the family has a proof.
  explicit Codec(std::string_view spec, const Options& options = {});

  Info info() const;

  /// chunk_bytes of every call must be a multiple of this. With symbols of 16 bits in planes, as of
  /// leopard, any even number will do, except on devices: the last block may be shorter.
  std::size_t chunk_multiple() const noexcept;

  /// The smallest multiple of chunk_multiple() that is at least chunk_bytes and not 0, or the
  /// largest that fits std::size_t.
  std::size_t round_up(std::size_t chunk_bytes) const noexcept;

  /// Computes the redundant cells of a stripe from its data cells, in place; see Plan::run for
  /// buffers, errors and cost.
  ///
  /// On packets, and on words where Info::units is 1, a stripe may be encoded in pieces: bytes from
  /// … to … of every chunk, in any order, each piece a multiple of chunk_multiple(). Where data
  /// comes chunk after chunk, see update().
  ///
  /// Cost: with Effort::kAuto, kernels run until calls took as long as making machine code takes.
  Status encode(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept;

  /// Rebuilds the erased chunks in place. The first call with these erasures makes a plan and keeps
  /// it; see Options::plan_cache_bytes.
  ///
  /// Errors: those of Plan::run; kInvalidArgument if a location is out of range or named twice;
  ///         kDamaged if the erased chunks cannot be rebuilt; kUnsupported if memory runs out.
  ///         Then nothing is written.
  /// Cost:   the first call makes a plan in microseconds (see Options::effort) and allocates. Later
  ///         calls cost a lookup and what Plan::run costs, and one of them makes machine code.
  Status decode(std::uint8_t* const* chunks, std::span<const std::size_t> erased,
                std::size_t chunk_bytes) const noexcept;

  /// Rebuilds `wanted` alone, which must be among `erased`; all of `erased` if `wanted` is empty.
  /// Pointers to other erased chunks may be null. For all else see decode() above.
  Status decode(std::uint8_t* const* chunks, std::span<const std::size_t> erased,
                std::span<const std::size_t> wanted, std::size_t chunk_bytes) const noexcept;

  /// Encodes many stripes in one call as encode() does. Threads share small stripes, each whole.
  ///
  /// Shape:   stripes holds the chunk pointers of each stripe; statuses is empty, or has room for
  ///          the status of each stripe.
  /// Buffers: as for encode(). A chunk that is written must not overlap a chunk of any stripe
  ///          (checked); chunks that are only read may be shared.
  /// Errors:  those of encode(), stripe by stripe: one that fails is not written, and the others
  ///          are done. Of stripes that overlap, none is written. The call returns the status of
  ///          the first that failed, which last_error() names. All fail if chunk_bytes or the size
  ///          of statuses is wrong (kInvalidArgument) or if memory runs out (kUnsupported).
  /// Cost:    of each stripe, what Plan::run computes. If all chunks ascend in memory, nothing is
  ///          allocated; else up to 150 bytes for each chunk that is written. Devices take one
  ///          stripe after the other.
  Status encode_batch(std::span<std::uint8_t* const* const> stripes, std::size_t chunk_bytes,
                      std::span<Status> statuses = {}) const noexcept;

  /// Decodes many stripes in one call; for all else see encode_batch().
  ///
  /// Shape:  erased holds one set of locations for each stripe, or one set for all stripes.
  /// Errors: also kInvalidArgument for all stripes if erased has another size.
  /// Cost:   one lookup for each distinct set. Another order of locations counts as another set.
  Status decode_batch(std::span<std::uint8_t* const* const> stripes,
                      std::span<const std::span<const std::size_t>> erased, std::size_t chunk_bytes,
                      std::span<Status> statuses = {}) const noexcept;
  Status decode_batch(std::span<std::uint8_t* const* const> stripes,
                      std::span<const std::size_t> erased, std::size_t chunk_bytes,
                      std::span<Status> statuses = {}) const noexcept {
    return decode_batch(stripes, std::span(&erased, 1), chunk_bytes, statuses);
  }

  /// encode() and decode() of chunks in memory of a device; see Plan::run_device.
  Status encode_device(const DeviceChunks& chunks, std::size_t chunk_bytes) const noexcept;
  Status decode_device(const DeviceChunks& chunks, std::span<const std::size_t> erased,
                       std::size_t chunk_bytes) const noexcept;

  /// Says whether the redundancy of a stripe agrees with its data: kOk if it does, kDamaged if not.
  /// Then last_error() names the first chunk that differs, and the byte. Nothing is written.
  ///
  /// Shape:  as for encode(); every pointer to a chunk that holds data or redundancy is needed.
  /// Errors: kInvalidArgument as for encode(); kUnsupported if memory runs out.
  /// Cost:   encoding, and comparing with what is there. Up to 64 KiB are allocated, or as many
  ///         bytes as the redundancy has if chunks consist of sub-chunks.
  Status verify(const std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept;

  /// Says which chunks are wrong, without checksums: the fewest that explain why redundancy differs
  /// from data; `lost` locations are left out. Include error_location.hpp, which says more.
  ///
  /// Errors: throws Error as verify() fails, or if a lost location is out of range or named twice.
  ErrorLocation locate_errors(const std::uint8_t* const* chunks, std::size_t chunk_bytes,
                              std::span<const std::size_t> lost = {}) const;

  /// Bytes of a fingerprint: 8 for each of Info::rows.
  std::size_t fingerprint_bytes() const noexcept;

  /// Computes a fingerprint of a chunk: a keyed hash that commutes with the code, so that those of
  /// data and redundancy agree as the chunks do. Nodes that compare fingerprints by one key find
  /// chunks that are wrong without sending any. Any chunk but the right one has another fingerprint
  /// but with probability 2^-64 for each 32,768 bits of a row, for a random key. The map is linear:
  /// fingerprints of a XOR of chunks are the XOR of fingerprints. See docs/fingerprints.md.
  ///
  /// Shape:   fingerprint has fingerprint_bytes() bytes. All machines compute the same ones.
  /// Buffers: no alignment is needed; fingerprint must not overlap the chunk (checked).
  /// Errors:  kInvalidArgument if a size is wrong, a pointer is null, or they overlap.
  /// Cost:    the chunk is read once; 20 KiB of stack.
  Status fingerprint(const std::uint8_t* chunk, std::size_t chunk_bytes, std::uint64_t key,
                     std::span<std::uint8_t> fingerprint) const noexcept;

  /// Says which chunks are wrong by their fingerprints, of one key: what locate_errors() says of
  /// the chunks. Include error_location.hpp.
  ///
  /// Shape:  fingerprints has a pointer for each location, to fingerprint_bytes() each. `lost`
  ///         locations are left out, and their pointers may be null.
  /// Errors: throws Error as locate_errors() does.
  ErrorLocation check_fingerprints(const std::uint8_t* const* fingerprints,
                                   std::span<const std::size_t> lost = {}) const;

  /// Carries a change of the data of one location over to the redundancy, without the other data.
  /// With old_data = null, new_data is the difference. So redundancy that begins as zeros becomes
  /// that of the whole stripe when each location's data has been carried over, in any order.
  ///
  /// Shape:   old_data and new_data have chunk_bytes each: what the chunk of the location held and
  ///          what it will hold. The chunk itself is not touched. Of chunks, only pointers to
  ///          redundancy are used, and bytes that a change cannot reach stay as they are.
  /// Buffers: no alignment is needed; a chunk of redundancy must not overlap any other buffer
  ///          (checked). old_data and new_data may overlap.
  /// Errors:  those of encode(); kInvalidArgument if the location is out of range or does not hold
  ///          data alone; kUnsupported if memory runs out. Then nothing is written.
  /// Cost:    the data is read once, and the redundancy is read and written once. Memory is
  ///          allocated as for verify(). The first call for a location may make a plan, as in
  ///          decode().
  Status update(std::size_t location, const std::uint8_t* old_data, const std::uint8_t* new_data,
                std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept;

  /// Bytes of data that a stripe holds, at most 2^62; 0 if calls refuse `chunk_bytes`.
  std::size_t data_bytes(std::size_t chunk_bytes) const noexcept;

  /// The smallest chunk_bytes above 0 of a stripe that holds `data_bytes` bytes of data.
  ///
  /// Errors: throws Error: kInvalidArgument if data_bytes exceeds 2^62.
  std::size_t chunk_bytes_for(std::size_t data_bytes) const;

  /// Copies data to its places in a stripe, and fills the rest of these places with zeros
  /// (elsewhere: split). If locations of data hold nothing else, their chunks hold it one after the
  /// other.
  ///
  /// Shape:  data has at most data_bytes(chunk_bytes) bytes.
  /// Errors: kInvalidArgument if it has more, if chunk_bytes is not a multiple of chunk_multiple(),
  ///         or if a pointer to a chunk that holds data is null. Then nothing is written.
  Status spread(std::span<const std::uint8_t> data, std::uint8_t* const* chunks,
                std::size_t chunk_bytes) const noexcept;

  /// Copies the first data.size() bytes of data out of a stripe: the reverse of spread()
  /// (elsewhere: join). Chunks that hold none of these bytes may be null.
  ///
  /// Errors: as for spread().
  Status collect(const std::uint8_t* const* chunks, std::size_t chunk_bytes,
                 std::span<std::uint8_t> data) const noexcept;

  /// The best plan for encoding. It is made now unless it exists, and encode() then runs it, too.
  Plan encoding() const;

  /// A plan that rebuilds the wanted locations, which must be among the erased ones. If none are
  /// named, it rebuilds all erased ones. The plan comes from the cache, or is made and kept there.
  ///
  /// Errors: throws Error: kInvalidArgument if a location is out of range, named twice, or wanted
  ///         but not erased; kDamaged if the wanted chunks cannot be rebuilt.
  Plan decoding(std::span<const std::size_t> erased,
                std::span<const std::size_t> wanted = {}) const;

  /// A plan that rebuilds what a repair wants from the survivors that cost the least to read. Every
  /// call makes a new plan.
  ///
  /// Errors: throws Error: kInvalidArgument if a location or unit is out of range or named twice,
  ///         if a location is wanted but not erased, or at hand but erased, or if the costs are not
  ///         one per location or too high; kDamaged if the wanted units cannot be rebuilt.
  /// Cost:   choosing what to read takes about a millisecond, more for very large codes; making the
  ///         plan takes as long as in decoding().
  Plan repair(const Repair& repair) const;

  /// A repair split by site; include split_repair.hpp, which says more. Every call makes new plans.
  ///
  /// Shape:  sites holds up to 16 lists of locations; every location, lost or not, is in exactly
  ///         one.
  /// Errors: throws Error as repair() does, and kInvalidArgument if a location is in no list or in
  ///         two, or if nothing is erased.
  SplitRepair split(const Repair& repair, std::span<const std::vector<std::size_t>> sites) const;

  /// Counts of the plans of this codec. All copies of the codec share them.
  PlanCounts plan_counts() const noexcept;

 private:
  friend struct CodecAccess;  // the library makes codecs of codes it has built
  struct Impl;
  explicit Codec(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

  std::shared_ptr<const Impl> impl_;
};

/// The error sentence of the last call on this thread that returned a status other than kOk. Never
/// null; valid until the next such call on this thread.
XORLOOM_API const char* last_error() noexcept;

/// The version of the library, such as "0.2.0+dev"; XORLOOM_VERSION is that of the headers. Never
/// null.
XORLOOM_API const char* version() noexcept;

}  // namespace xorloom

#include "xorloom/chunks.hpp"

#endif  // C++20
