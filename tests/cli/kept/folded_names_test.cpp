// Names on ext4 in a directory that ignores case (mkfs.ext4 -O casefold, chattr +F). The tests skip
// if no such image can be mounted.

#include <doctest/doctest.h>

#include "tests/cli/case_scene.hpp"

namespace xorloom::test {

TEST_CASE("On ext4 that ignores case, names that are one name there are not unpacked") {
  check_names_below(ImageKind::kExt4);
  check_names_at_top(ImageKind::kExt4);
}

TEST_CASE("On ext4 that ignores case, a letter and its accent are the letter with the accent") {
  check_one_name(ImageKind::kExt4,
                 "printf 1 > t/$(printf 'e\\314\\201'); printf 2 > t/$(printf '\\303\\251')");
}

TEST_CASE("On ext4 that ignores case, repair restores no file in the place of another") {
  check_repaired_names(ImageKind::kExt4);
}

}  // namespace xorloom::test
