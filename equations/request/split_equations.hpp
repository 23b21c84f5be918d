#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"

namespace xorloom {

/// A repair whose locations are at several sites, such as racks. Each site adds up its share of
/// each wanted element, and sends the sums to the home: the site of the first wanted chunk, which
/// adds up the sums:
///
///     site 0, home   0 = XOR(3,6)      |
///     site 1         0 = XOR(9,13)     |->  element 0 = XOR of the three
///     site 2         0 = XOR(16,20)    |
///
/// So a site sends one packet per element, however many it read.
struct SplitEquations {
  struct Site {
    std::vector<std::size_t> locations;  ///< ascending
    /// Computes the site's shares of the wanted elements; a share has the number of its element, so
    /// this is not a program of the code. No outputs: nothing is read at the site.
    Program program;
  };
  std::vector<Site> sites;
  std::size_t home = 0;
  /// The program of the home, with a layout of its own: location s holds the sums of site s, one
  /// row per wanted element, and one more location after those holds the rebuilt elements.
  Program join;

  std::size_t sent = 0;      ///< cells sent from other sites to the home
  std::size_t unsummed = 0;  ///< cells sent if the cells read were sent instead of sums
  std::size_t rebuilt = 0;   ///< cells rebuilt
};

/// Splits the direct equations of a request by site. Survivors are chosen first for the fewest
/// sites (try_fewest_sites), then as the request says.
///
/// Shape:  every location of the code is at one site.
/// Errors: as direct_program for the request, and as site_sets.
SplitEquations split_equations(const Code& code, const Request& request,
                               std::span<const std::vector<std::size_t>> sites);

/// Composes the programs of the sites and the join to one program of the code.
Program whole_program(const Code& code, const SplitEquations& split);

}  // namespace xorloom
