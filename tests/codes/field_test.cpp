#include "codes/field.hpp"

#include <doctest/doctest.h>

namespace xorloom {

TEST_CASE("x squared plus x plus one is irreducible") { CHECK(is_irreducible(0x7)); }

}  // namespace xorloom
