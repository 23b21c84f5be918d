#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/support/sample.hpp"

namespace xorloom::test {

/// Codes of few chunks, of every kind that a family has.
inline const std::vector<std::string> kSmallSpecs = {
    "cauchy:k=3,m=2,w=3",
    "cauchy:k=4,m=2,w=3,packet_bytes=8",
    "cauchy-good:k=4,m=2,w=4",
    "cauchy-good:k=3,m=3,w=8,packet_bytes=40",
    "rs:k=3,m=2,w=4",
    "rs:k=3,m=2,w=8",
    "rs:k=3,m=2,w=16",
    "rs:k=3,m=2,w=32",
    "rs:k=3,m=2,w=5,arrangement=packet,packet_bytes=64",
    "rs-poly:k=4,m=3",
    "leopard:k=5,m=3",
    "isa-cauchy:k=4,m=3",
    "isa-vandermonde:k=4,m=2",
    "raid6:k=4,w=4",
    "raid6:k=3,w=16",
    "raid6:k=3,w=3,arrangement=packet",
    "liberation:k=4,w=5,packet_bytes=8",
    "blaum-roth:k=4,w=4",
    "liber8tion:k=3",
    "evenodd:k=4,p=5",
    "rdp:k=3,p=5,packet_bytes=40",
    "x-code:p=5",
    "parity:k=4",
    "hamming:k=4,m=3",
    "hamming:k=1,m=3",  // one redundant cell is zero
    "hover:k=4,r=3,v=2,h=1",
    "shec:k=4,m=3,c=2",
    "shec:k=4,m=3,c=2,arrangement=packet",
    "lrc:k=4,m=2,l=3",
    "lrc:k=2,m=2,l=2,arrangement=packet",
    "clay:k=2,m=2",
    "clay:k=4,m=2",
    "clay:k=3,m=2,d=3",
    "clay:k=3,m=3,d=4",
    "clay:k=3,m=2,arrangement=packet",
    "zigzag:k=1,r=2",
    "zigzag:k=4,r=2",
    "zigzag:k=3,r=3",
    "zigzag:k=2,r=4,w=4",
    "zigzag:k=3,r=2,w=16",
    "zigzag:k=3,r=2,w=2,arrangement=packet",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "rows": 2, "data": [1, 2, 4, 7],
       "equations": [{"target": 0, "xor": [2, 4, 7]}, {"target": 3, "xor": [0, 1]},
                     {"target": 5, "xor": [1, 7]}, {"target": 6, "xor": [2, 5]}]})",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "w": 16, "data": [2, 0],
       "matrix": [[1, 1], [1, 2]]})",
    // Zero cells: all of a location, one of two rows, and two of three redundant symbols.
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "data": [0, 1],
       "equations": [{"target": 2, "xor": []}, {"target": 3, "xor": [0, 1, 2]}]})",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 3, "rows": 2, "data": [0, 1],
       "bits": ["00", "11", "10", "00"]})",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "w": 8, "data": [1],
       "matrix": [[0], [3], [0]]})",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 3, "w": 4, "data": [0],
       "arrangement": "packet", "matrix": [[0], [1]]})",
};

/// kSmallSpecs, and the examples of the other families. With XORLOOM_TEST_WHOLE also codes with
/// more than a thousand recoverable sets.
inline std::vector<std::string> small_specs() {
  std::vector<std::string> result = kSmallSpecs;
  if (tries_all()) result.insert(result.end(), {"rs-poly:k=10,m=4", "leopard:k=10,m=4"});
  for (const Family* family : families()) {
    const auto is_of_family = [&](const std::string& spec) {
      return spec.substr(0, spec.find(':')) == family->name;
    };
    if (std::ranges::none_of(kSmallSpecs, is_of_family)) result.emplace_back(family->example);
  }
  return sample_if_sanitized(result, 10);
}

}  // namespace xorloom::test
