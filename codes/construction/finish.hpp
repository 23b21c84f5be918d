#pragma once

#include <string>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

// The last step of a builder: how the symbols of a code lie in bytes, and its canonical spec.

/// Reads packet_bytes, sets the arrangement to packets and closes the canonical spec, which begins
/// with the given text ("cauchy:k=5,m=2,w=3,…").
void finish_packets(Code& code, const Spec& spec, std::string canonical);

/// The same for a family of words that may be put on packets by arrangement=packet.
void finish_words(Code& code, const Spec& spec, std::string canonical);

}  // namespace xorloom
