#pragma once

// The C++ face of Xorloom. A Codec is a code made ready for this machine; a Plan is one computation
// of it (encoding, or rebuilding given lost chunks). Both are immutable values that are cheap to
// copy and may be used by many threads at once.
//
//   xorloom::Codec codec("cauchy-good:k=10,m=4,w=8");
//   std::size_t chunk_bytes = codec.round_up(wanted_chunk_bytes);
//   // chunks[0..9] point at data, chunks[10..13] at room for redundancy, chunk_bytes each
//   xorloom::Status status = codec.encode(chunks, chunk_bytes);
//
// What touches user bytes is noexcept and returns a Status; everything else throws Error.

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "xorloom.hpp needs C++20: compile with -std=c++20 or later; xorloom.h is for C and older C++"
#else

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifndef XORLOOM_API
#if defined(__GNUC__)
#define XORLOOM_API __attribute__((visibility("default")))
#else
#define XORLOOM_API
#endif
#endif

namespace xorloom {

/// What a call came to. The numbers are those of xorloom.h.
// clang-format off
enum class [[nodiscard]] Status : int {
  kOk = 0,
  kInvalidArgument = 1,  ///< the call was wrong: a value out of its bounds
  kParse = 2,            ///< a text or file that is not what it should be
  kUnsupported = 3,      ///< this machine or build cannot do it, or memory ran out
  kIo = 4,               ///< reading or writing failed
  kDamaged = 5,          ///< what is left does not suffice to give back what was asked
  kInternal = 6,         ///< a check inside Xorloom failed; nothing it computed was kept
};
// clang-format on

/// A short name of a status, for example "invalid argument". Never null.
XORLOOM_API const char* to_string(Status status) noexcept;

/// The one exception type. what() is a sentence with the value and the bound.
class XORLOOM_API Error : public std::runtime_error {
 public:
  Error(Status kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  Status kind() const noexcept { return kind_; }

 private:
  Status kind_;
};

/// How a codec runs. What is on disk depends on packet_bytes alone.
struct Options {
  int threads = 1;                ///< 1: the calling thread only; 0: all the machine offers
  std::size_t packet_bytes = 0;   ///< 0: what the spec says (64 unless it does)
  std::string isa = "";           ///< "": the best of this machine, or XORLOOM_ISA
  std::string executor = "auto";  ///< "ranges", "graph" or "auto"
  std::string style = "auto";     ///< equations: "direct", "iterative" or "auto"
  std::string engine = "auto";    ///< "code" made at run time, the library's "kernels", or "auto"
  std::string effort = "fast";    ///< what is spent on a plan: "fast", or "normal", some seconds
  bool allow_non_mds = false;     ///< take a code that was not proved to survive any m losses
  /// Plans of decodings that are kept for the next time: so many bytes of them, 0 for none. All 1470
  /// of 10 + 4 fit the default.
  std::size_t plan_cache_bytes = std::size_t{64} << 20;
  /// Plans of decodings that are used a thousand times are made anew with effort "normal", by a thread of
  /// the codec's own, while the old ones go on being used. Not with an atlas.
  bool improves_plans = false;
  /// The path of an atlas of the code, whose programs then are not looked for again; see docs/atlas.md. What
  /// is damaged in it is counted, and compiled anew.
  std::string atlas = "";
};

/// What became of the calls for plans of decodings, and of the atlas.
struct PlanCounts {
  std::uint64_t hits;      ///< there was one
  std::uint64_t misses;    ///< one had to be made
  std::uint64_t dropped;   ///< made room for others
  std::uint64_t improved;  ///< were made anew, see Options::improves_plans
  std::size_t plans;       ///< that are kept
  std::size_t bytes;       ///< of these
  // Of all plans, those for encoding and repairs too:
  std::uint64_t from_atlas;     ///< were made of programs of the atlas
  std::uint64_t atlas_damaged;  ///< were not, since what the atlas has of them is damaged
};

/// What a codec is.
struct Info {
  std::size_t locations;     ///< n: chunks of a stripe, in the order of the chunk pointers
  std::size_t data_cells;    ///< data cells of a stripe: k for most codes, times sub-chunks
  std::size_t rows;          ///< R: elements per location
  std::size_t k, m, w;       ///< the family's parameters
  std::size_t packet_bytes;  ///< 0: words, not packets
  std::size_t chunk_multiple;
  std::size_t units;     ///< of a chunk that can be read apart; see Repair
  std::string spec;      ///< canonical: every default written out
  std::string isa;       ///< the instruction set in use
  std::string executor;  ///< the executor in use
};

/// What is to be rebuilt, and what it costs to read the rest.
///
/// What can be read apart of a chunk are units, Info::units of them. In packets unit u is packet u of each
/// super-block; in words it is sub-chunk u, the bytes from u·chunk_bytes/units on up to the next.
struct Repair {
  std::vector<std::size_t> erased{};
  std::vector<std::size_t> wanted{};  ///< of the erased ones; none named is all
  /// Of each wanted location the units that are wanted, ascending; none named is all of all. Others may
  /// be left as they are.
  std::vector<std::vector<std::uint32_t>> units{};
  /// By location, what reading one of its units costs, up to 1,000,000: the time it takes, the distance,
  /// how busy it is. None named is 1 each.
  std::vector<std::uint64_t> read_costs{};
  std::vector<std::size_t> at_hand{};  ///< locations that are read anyway, and cost nothing
  bool whole_chunks = false;           ///< read a chunk whole, or nothing of it
};

/// One computation, ready to run on any stripe: encoding, or rebuilding given lost chunks.
class XORLOOM_API Plan {
 public:
  /// Runs the plan on one stripe.
  ///
  /// Shape:   chunks holds one pointer a location; those neither read nor written may be null.
  /// Buffers: no alignment needed; what is written must not overlap anything else (checked).
  /// Errors:  kInvalidArgument if chunk_bytes is not a multiple of Codec::chunk_multiple(), a
  ///          needed pointer is null, or buffers overlap. Nothing is written then. It cannot fail
  ///          otherwise.
  /// Cost:    on one thread no heap allocation, and at most 128 KiB of stack.
  Status run(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept;

  /// The locations read and written, ascending.
  const std::vector<std::size_t>& reads() const noexcept;
  const std::vector<std::size_t>& writes() const noexcept;

  /// The units read of a location, ascending; see Repair. What else its chunk holds does not matter.
  std::span<const std::uint32_t> units_read(std::size_t location) const noexcept;

  /// The units computed of a location that is written, ascending. Others are left as they are, or set to
  /// zero by a plan of a SplitRepair.
  std::span<const std::uint32_t> units_written(std::size_t location) const noexcept;

  struct Impl;
  explicit Plan(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const Impl& impl() const noexcept { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

/// A repair whose locations stand at several sites, such as racks. Each site adds up, as the code says,
/// what it has of each wanted chunk, and sends the sum to one of them, which adds these up with add_sums:
///
///     site 0, home   chunks 1 … 4     -> a sum  |
///     site 1         chunks 5 … 9     -> a sum  |->  chunk 0 = XOR of the three
///     site 2         chunks 10, 11    -> a sum  |
///
/// So a site sends at most one chunk for each that is wanted, however many it read. Where several are
/// wanted it may have read less than that: see Site::units_read.
struct SplitRepair {
  /// What one site does, by a plan that runs there.
  ///
  /// Its plan reads chunks that are there, and writes the site's sums where its chunk pointers are those
  /// of wanted locations: into buffers of the site's own, of chunk_bytes, whole. Plan::writes() says of
  /// which wanted chunks the site has sums, Plan::units_written() of which of their units; the other
  /// units come out zero, and need not be sent if whoever receives the sums has zeros there.
  struct Site {
    std::size_t number;      ///< of the sites that were given
    Plan plan;               ///< all pointers to chunks at other sites may be null
    std::size_t units_read;  ///< Info::units of them make a chunk
    std::size_t units_sent;  ///< of sums; at home they stay there
  };
  std::vector<Site> sites;  ///< that have a part in it, ascending; home need not be among them
  std::size_t home = 0;     ///< the number of the site of the first location that is wanted
};

/// A chunk as the sum of what sites have of it: of the buffer for it of each site of a SplitRepair that
/// writes it. Units that were not wanted come out zero. The sum of none is zeros.
///
/// Shape:   sums holds num_sums pointers to as many bytes; any number of bytes, such as those of one unit.
/// Buffers: no alignment needed; the chunk must not overlap any sum (checked).
/// Errors:  kInvalidArgument if a pointer is null though there are bytes, or buffers overlap; kUnsupported or
///          kInternal if XORLOOM_ISA names what is not there, or the kernel for it adds wrongly, which is
///          tried out in the first call. Nothing is written then.
/// Cost:    one thread reads each sum once, and allocates nothing after the first call.
XORLOOM_API Status add_sums(const std::uint8_t* const* sums, std::size_t num_sums,
                            std::uint8_t* chunk, std::size_t bytes) noexcept;

/// A code made ready for this machine.
class XORLOOM_API Codec {
 public:
  /// Errors: throws Error with the value and the bound if the spec or an option does not hold; kDamaged,
  ///         kParse or kInvalidArgument for an atlas that is damaged, is none, or one of another code.
  explicit Codec(std::string_view spec, const Options& options = {});

  Info info() const;

  /// chunk_bytes of every call is a multiple of this.
  std::size_t chunk_multiple() const noexcept;

  /// The smallest valid chunk_bytes that is at least the given one, and at least one multiple; the
  /// largest valid one where there is none.
  std::size_t round_up(std::size_t chunk_bytes) const noexcept;

  /// Reads the data cells and writes the redundant ones; see Plan::run.
  Status encode(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept;

  /// Rebuilds the erased chunks in place, by a plan that is made the first time and kept; see
  /// Options::plan_cache_bytes.
  ///
  /// Errors: kInvalidArgument for a location out of range; kDamaged if the erasures cannot be
  ///         rebuilt. Nothing is written then.
  Status decode(std::uint8_t* const* chunks, std::span<const std::size_t> erased,
                std::size_t chunk_bytes) const noexcept;

  /// The encoding plan.
  Plan encoding() const;

  /// A plan that rebuilds the wanted ones of the erased locations (all of them if none is named):
  /// one that is kept, or a new one, which then is kept.
  ///
  /// Errors: throws Error: kInvalidArgument for locations out of range or wanted but not erased,
  ///         kDamaged if the wanted chunks cannot be rebuilt.
  Plan decoding(std::span<const std::size_t> erased,
                std::span<const std::size_t> wanted = {}) const;

  /// A plan that rebuilds what a repair wants and reads what costs the least. It is made each time.
  ///
  /// Errors: throws Error: kInvalidArgument for locations or units out of range, wanted but not erased,
  ///         named twice or at hand though erased, for costs that are not one a location or too high;
  ///         kDamaged if what is wanted cannot be rebuilt.
  /// Cost:   the choice about a millisecond, more for very large codes; then that of decoding().
  Plan repair(const Repair& repair) const;

  /// A repair split by site: from as few sites as can be, of such choices that in which the fewest units go
  /// to the home, of such what costs the least to read. It is made each time.
  ///
  /// Shape:  sites are up to 16, each the numbers of its locations; every location, lost or not, is at
  ///         one of them.
  /// Errors: throws Error as repair(), and kInvalidArgument for sites that are no parting of the locations
  ///         and where nothing is erased.
  /// Cost:   a choice as in repair() for every set of sites no larger than the one taken; then that of a
  ///         plan for each of these.
  SplitRepair split(const Repair& repair, std::span<const std::vector<std::size_t>> sites) const;

  /// How the plans of decodings fared. Shared by all copies of the codec.
  PlanCounts plan_counts() const noexcept;

  struct Impl;

 private:
  std::shared_ptr<const Impl> impl_;
};

/// Memory for the chunks of a stripe, placed so that they do not fight over a cache's sets: chunks that
/// all begin at pages are a quarter slower. Not initialised.
class XORLOOM_API Chunks {
 public:
  /// Errors: throws Error: kInvalidArgument if chunk_bytes is not a multiple of
  ///         Codec::chunk_multiple(), kUnsupported if there is no such memory.
  Chunks(const Codec& codec, std::size_t chunk_bytes);
  Chunks(Chunks&& other) noexcept;
  Chunks& operator=(Chunks&& other) noexcept;
  ~Chunks();

  /// One pointer a location, each aligned to 64 bytes.
  std::uint8_t* const* data() const noexcept { return pointers_.data(); }

  std::size_t size() const noexcept { return pointers_.size(); }
  std::span<std::uint8_t> operator[](std::size_t location) const noexcept {
    return {pointers_[location], chunk_bytes_};
  }

 private:
  std::size_t chunk_bytes_;
  std::uint8_t* memory_ = nullptr;
  std::vector<std::uint8_t*> pointers_;
};

/// The sentence of the last call on this thread that returned something other than kOk.
XORLOOM_API const char* last_error() noexcept;

}  // namespace xorloom

#endif  // C++20
