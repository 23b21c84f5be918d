#include "cli/shell/progress_text.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace xorloom::cli {

TEST_CASE("A line says what is done, how much of what, how fast, and how long it takes still") {
  CHECK(progress_text("encoding", 1'230'000'000, 2'150'000'000, 1.02e9, 80) ==
        "encoding 1.15 of 2.00 GiB, 57 %, 1.02 GB/s, 0:01 left");
  CHECK(progress_text("reading", 0, 999'000, 0.5e3, 80) ==
        "reading 0.00 of 975.59 KiB, 0 %, 0.00 MB/s, 33:18 left");
  CHECK(progress_text("reading", 1'500'000, 40'000'000'000'000, 12.345e6, 80) ==
        "reading 0.00 of 36.38 TiB, 0 %, 12.35 MB/s");
  CHECK(progress_text("repairing", 10'000'000, 90'000'000'000, 10e6, 80) ==
        "repairing 0.01 of 83.82 GiB, 0 %, 10.00 MB/s, 2:29:59 left");
}

TEST_CASE("What is not known is left out") {
  CHECK(progress_text("reading", 196'608, 0, 0, 80) == "reading 192.00 KiB");
  CHECK(progress_text("reading", 2 << 20, 0, 1e6, 80) == "reading 2.00 MiB, 1.00 MB/s");
  CHECK(progress_text("reading", 2 << 20, 4 << 20, 0, 80) == "reading 2.00 of 4.00 MiB, 50 %");
}

TEST_CASE("All of it is 100 %, nearly all is not, and more than all is of no known size") {
  CHECK(progress_text("reading", 1024, 1024, 1e6, 80) ==
        "reading 1.00 of 1.00 KiB, 100 %, 1.00 MB/s, 0:00 left");
  CHECK(progress_text("reading", (10 << 20) - 1, 10 << 20, 1e6, 80) ==
        "reading 10.00 of 10.00 MiB, 99 %, 1.00 MB/s, 0:01 left");
  CHECK(progress_text("reading", 1025, 1024, 1e6, 80) == "reading 1.00 KiB, 1.00 MB/s");
}

TEST_CASE("A line is cut to fit, never within a number") {
  const auto text = [](std::size_t columns) {
    return progress_text("encoding", 1'230'000'000, 2'150'000'000, 1.02e9, columns);
  };
  CHECK(text(53) == "encoding 1.15 of 2.00 GiB, 57 %, 1.02 GB/s, 0:01 left");
  CHECK(text(52) == "encoding 1.15 of 2.00 GiB, 57 %, 1.02 GB/s");
  CHECK(text(41) == "encoding 1.15 of 2.00 GiB, 57 %");
  CHECK(text(25) == "encoding 1.15 of 2.00 GiB");
  CHECK(text(24) == "encoding, 57 %");
  CHECK(text(13) == "encoding");
  CHECK(text(3) == "enc");
  CHECK(text(0).empty());
  for (std::size_t columns = 0; columns < 60; ++columns) CHECK(text(columns).size() <= columns);
}

TEST_CASE("The largest numbers are no trouble") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  CHECK(progress_text("reading", most, most, 1e-300, 80) ==
        "reading 16777216.00 of 16777216.00 TiB, 100 %, 0.00 MB/s, 0:00 left");
  CHECK(progress_text("reading", 0, most, 1e-300, 80) ==
        "reading 0.00 of 16777216.00 TiB, 0 %, 0.00 MB/s");
}

}  // namespace xorloom::cli
