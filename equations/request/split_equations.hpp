#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"

namespace xorloom {

/// A repair whose locations stand at several sites, such as racks. Each site adds up what it has of
/// each lost element, and sends the sums to one of them, the home of the first chunk that is
/// wanted, which adds these up:
///
///     site 0, home   0 = XOR(3,6)      |
///     site 1         0 = XOR(9,13)     |->  element 0 = XOR of the three
///     site 2         0 = XOR(16,20)    |
///
/// So a site sends one packet an element, however many it read.
struct SplitEquations {
  struct Site {
    std::vector<std::size_t> locations;  ///< ascending
    /// Its outputs are the lost elements that it has a part of, which lie where those would: no
    /// program of the code. Without outputs where nothing is read here.
    Program program;
  };
  std::vector<Site> sites;
  std::size_t home = 0;
  /// Of a layout of its own: location s holds what site s sends, one row a wanted element; behind
  /// the sites' there is one more location for what is rebuilt.
  Program join;

  std::size_t sent = 0;      ///< cells sent from site to site
  std::size_t unsummed = 0;  ///< cells that would be, if what is read were sent
  std::size_t rebuilt = 0;   ///< cells that are rebuilt
};

/// Splits the direct equations of a request by site. What is read is chosen for the fewest sites
/// first: see try_fewest_sites. Then as the request says.
///
/// Shape:  every location of the code is at one site.
/// Errors: as direct_program for the request, and as site_sets.
SplitEquations split_equations(const Code& code, const Request& request,
                               std::span<const std::vector<std::size_t>> sites);

/// The programs of the sites and the join one after the other: a program of the code.
Program whole_program(const Code& code, const SplitEquations& split);

}  // namespace xorloom
