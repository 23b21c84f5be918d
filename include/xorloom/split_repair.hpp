#pragma once

// Repairs by site: Codec::split, of a code whose locations stand at several sites, such as racks.
//
//   xorloom::SplitRepair split = codec.split({.erased = {2}}, racks);
//   // each site of split.sites runs its plan over its own chunks and sends its sum
//   xorloom::Status status = xorloom::add_sums(sums, num_sums, chunk, chunk_bytes);

#include "xorloom/xorloom.hpp"

#if defined(__cplusplus) && __cplusplus >= 202002L  // else xorloom.hpp has said what it needs

namespace xorloom {

/// A repair whose locations stand at several sites, such as racks. For each wanted chunk, every
/// site computes one sum from its own chunks and sends it to the home site, which adds the sums
/// with add_sums:
///
///     site 0, home   chunks 1 … 4     -> a sum  |
///     site 1         chunks 5 … 9     -> a sum  |->  chunk 0 = XOR of the three
///     site 2         chunks 10, 11    -> a sum  |
///
/// So a site sends at most one chunk per wanted chunk, however many it reads. If several chunks are
/// wanted, a site may read less than it would send: see Site::units_read. Then sending the chunks
/// themselves costs less.
///
/// Codec::split uses as few sites as possible. Among equals it takes a choice that sends the fewest
/// units to the home site, and among these one that costs the least to read. It tries all smaller
/// sets of sites, and sets of the final size until 64 of them can do the repair. Each try costs as
/// much as the choice in Codec::repair. Then it makes one plan per site that takes part.
struct SplitRepair {
  /// The part of one site: a plan that runs there.
  ///
  /// The plan reads chunks of the site. The chunk pointer of each wanted location must point to a
  /// buffer of chunk_bytes at the site. The plan fills it with the site's sum. Plan::writes() lists
  /// the wanted chunks for which the site has a sum; Plan::units_written() lists the units of each
  /// sum. The plan sets other units to zero. They need not be sent if the receiver has zeros there.
  struct Site {
    std::size_t number;      ///< the index of the site in the given list
    Plan plan;               ///< chunk pointers to other sites' chunks may be null
    std::size_t units_read;  ///< units that the plan reads; Info::units make a chunk
    std::size_t units_sent;  ///< units of sums that the site computes; all sites but home send them
  };
  /// The sites that take part, by number; home is among them only if it reads something.
  std::vector<Site> sites;
  std::size_t home = 0;  ///< the number of the site that holds the first wanted location
};

/// Rebuilds a chunk by adding the sums that the sites of a SplitRepair have computed for it. All
/// of the chunk is overwritten: a unit that is zero in every sum becomes zero. With no sums, the
/// whole chunk becomes zero.
///
/// Shape:   sums holds num_sums pointers. Each sum and the chunk have `bytes` bytes. This may be
///          any number, such as the bytes of one unit.
/// Buffers: no alignment is needed; the chunk must not overlap any sum (checked).
/// Errors:  kInvalidArgument if a needed pointer is null or buffers overlap; kUnsupported if
///          XORLOOM_ISA names an instruction set that is not available; kInternal if its kernel
///          fails the test that the first call runs. Then nothing is written.
/// Cost:    one thread reads each sum once and allocates nothing after the first call.
XORLOOM_API Status add_sums(const std::uint8_t* const* sums, std::size_t num_sums,
                            std::uint8_t* chunk, std::size_t bytes) noexcept;

}  // namespace xorloom

#endif  // C++20
