#include <doctest/doctest.h>

#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

// Runs the routes of a plan: each node is a process with its own chunk that talks to others by
// sockets. scripts/network-trial measures the time on a network.

TEST_CASE("A star, a tree and a chain of processes rebuild the bytes that were lost") {
  const TemporaryFolder folder;
  const std::string lines = R"(
    names='a0 a1 a2 a3 b0 b1 b2 b3'
    rm -rf chunks hosts && mkdir chunks
    for name in $names; do echo "$name $PWD/$name" >>hosts; done
    "$node" make $code 102400 chunks
    "$xorloom" repair-plan $code --topology - --erase 2 --chunk-bytes 102400 --slice-bytes 25600 \
      --format json <<<"$topology" >plan.json
    for shape in star tree chain; do
      rm -f a? b?
      for name in $names; do "$node" run plan.json $shape $name hosts chunks >>$shape & done
      wait
      grep -q '^[0-9.]*$' $shape && echo $shape
    done)";
  const std::string topology =
      R"({"format": "xorloom-topology", "version": 1, "link": 1e9, "uplink": 1e8, "racks": [
         {"name": "a", "nodes": ["a0", "a1", "a2", "a3"]},
         {"name": "b", "nodes": ["b0", "b1", "b2", "b3"]}]})";
  for (const std::string code : {"rs:k=6,m=2", "lrc:k=4,m=2,l=3", "leopard:k=7,m=3"}) {
    CAPTURE(code);
    const Outcome outcome = shell(
        "code=" + code + "; node='" XORLOOM_ROUTE_NODE "'; topology='" + topology + "'\n" + lines,
        folder.path());
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    CHECK(outcome.out == "star\ntree\nchain\n");
  }
}

}  // namespace xorloom::test
