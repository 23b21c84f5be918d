#include "cli/shell/progress_text.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace xorloom::cli {

TEST_CASE("A line says what is done, how much of what, how fast, and how long it takes still") {
  CHECK(progress_text("encoding", 1'230'000'000, 2'150'000'000, 1.02e9, 80) ==
        "encoding 1.23 of 2.15 GB, 57 %, 1.02 GB/s, 0:01 left");
  CHECK(progress_text("reading", 0, 999'000, 0.5e3, 80) ==
        "reading 0.00 of 999.00 kB, 0 %, 0.50 kB/s, 33:18 left");
  CHECK(progress_text("reading", 1'500'000, 40'000'000'000'000, 12.345e6, 80) ==
        "reading 0.00 of 40.00 TB, 0 %, 12.35 MB/s");
  CHECK(progress_text("repairing", 10'000'000, 90'000'000'000, 10e6, 80) ==
        "repairing 0.01 of 90.00 GB, 0 %, 10.00 MB/s, 2:29:59 left");
}

TEST_CASE("What is not known is left out") {
  CHECK(progress_text("reading", 196'608, 0, 0, 80) == "reading 196.61 kB");
  CHECK(progress_text("reading", 2'500'000, 0, 1e6, 80) == "reading 2.50 MB, 1.00 MB/s");
  CHECK(progress_text("reading", 2'500'000, 5'000'000, 0, 80) == "reading 2.50 of 5.00 MB, 50 %");
}

TEST_CASE("All of it is 100 %, nearly all is not, and more than all is of no known size") {
  CHECK(progress_text("reading", 1000, 1000, 1e3, 80) ==
        "reading 1.00 of 1.00 kB, 100 %, 1.00 kB/s, 0:00 left");
  CHECK(progress_text("reading", 9'999'999, 10'000'000, 1e6, 80) ==
        "reading 10.00 of 10.00 MB, 99 %, 1.00 MB/s, 0:01 left");
  CHECK(progress_text("reading", 1001, 1000, 1e3, 80) == "reading 1.00 kB, 1.00 kB/s");
}

TEST_CASE("A line is cut to fit, never within a number") {
  const auto text = [](std::size_t columns) {
    return progress_text("encoding", 1'230'000'000, 2'150'000'000, 1.02e9, columns);
  };
  CHECK(text(52) == "encoding 1.23 of 2.15 GB, 57 %, 1.02 GB/s, 0:01 left");
  CHECK(text(51) == "encoding 1.23 of 2.15 GB, 57 %, 1.02 GB/s");
  CHECK(text(40) == "encoding 1.23 of 2.15 GB, 57 %");
  CHECK(text(24) == "encoding 1.23 of 2.15 GB");
  CHECK(text(23) == "encoding, 57 %");
  CHECK(text(13) == "encoding");
  CHECK(text(3) == "enc");
  CHECK(text(0).empty());
  for (std::size_t columns = 0; columns < 60; ++columns) CHECK(text(columns).size() <= columns);
}

TEST_CASE("The largest numbers are no trouble") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  CHECK(progress_text("reading", most, most, 1e-300, 80) ==
        "reading 18446744.07 of 18446744.07 TB, 100 %, 0.00 kB/s, 0:00 left");
  CHECK(progress_text("reading", 0, most, 1e-300, 80) ==
        "reading 0.00 of 18446744.07 TB, 0 %, 0.00 kB/s");
}

}  // namespace xorloom::cli
