#include <doctest/doctest.h>

#include "tests/cli/program.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

TEST_CASE("A file larger than the memory it is given is encoded and decoded") {
#ifdef XORLOOM_ADDRESS_SANITIZER
  MESSAGE("SKIPPED: the address sanitizer needs address space of its own");
#else
  const TemporaryFolder folder;
  const Outcome outcome = shell(
      "truncate -s 420M big && printf end >> big && ulimit -v 393216 && "
      "$xorloom encode big -o d --threads 2 2>&1 && rm d/*-00.shard && "
      "$xorloom decode d -o - --threads 2 2>/dev/null | cmp - big",
      folder.path());
  CHECK_MESSAGE(outcome.status == 0, outcome.out);
#endif
}

}  // namespace xorloom::test
