#include "codes/text/error.hpp"

#include <doctest/doctest.h>

#include <string>

#include "codes/families/families.hpp"
#include "codes/field/field.hpp"
#include "codes/field/matrix_text.hpp"
#include "codes/spec.hpp"

namespace xorloom {
namespace {

const std::string kLong(1'000'000, 'A');

/// The sentence of the error that work throws, empty if it throws none.
template <typename Work>
std::string sentence_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("An excerpt is a short text itself, and of a long one the beginning and its length") {
  CHECK(excerpt("") == "");
  CHECK(excerpt("cauchy:k=3") == "cauchy:k=3");
  CHECK(excerpt(std::string(200, 'x')) == std::string(200, 'x'));
  CHECK(excerpt(std::string(201, 'x')) == std::string(200, 'x') + "… (201 bytes)");
  CHECK(excerpt("abcdef", 3) == "abc… (6 bytes)");
  CHECK(excerpt(kLong).size() < 230);
}

TEST_CASE("An excerpt ends with a whole character") {
  CHECK(excerpt("aé b", 2) == "a… (5 bytes)");
  CHECK(excerpt("aé b", 3) == "aé… (5 bytes)");
  CHECK(excerpt("€€", 3) == "€… (6 bytes)");
  CHECK(excerpt("€€", 4) == "€… (6 bytes)");
  CHECK(excerpt("€€", 5) == "€… (6 bytes)");
  CHECK(excerpt("😀😀", 7) == "😀… (8 bytes)");
  // Bytes that are no UTF-8 are cut somewhere, but not all of them.
  CHECK(excerpt(std::string(300, '\x80'), 100).size() > 90);
}

TEST_CASE("An excerpt holds nothing that a terminal obeys") {
  CHECK(excerpt("a\x1b[2Jb\nc\x7f") == "a?[2Jb?c?");
  CHECK(excerpt("a\xc2\x9b"
                "2J") == "a??2J");
  CHECK(excerpt("\x1b\x1b\x1b", 2) == "??… (3 bytes)");
  CHECK(excerpt("größer € 😀") == "größer € 😀");
}

TEST_CASE("Errors repeat no more of a code spec than an excerpt") {
  for (const std::string& spec :
       {kLong,
        ":" + kLong,
        "rs:" + kLong,
        "rs:k=2,m=1," + kLong,
        "rs:k=2,m=1," + kLong + "=1",
        "rs:k=2,k=" + kLong,
        "rs:m=1,k=" + kLong,
        "rs:m=1,k=" + std::string(100'000, '9'),
        "rs:m=1,k=-" + std::string(100'000, '9'),
        "rs:k=2,m=1,poly=" + kLong,
        "rs:k=2,m=1,arrangement=" + kLong,
        "rs:k=2,m=1,packet_bytes=" + kLong,
        "cauchy:k=1,m=1,w=3,x=" + kLong + ",y=1",
        "cauchy:k=1,m=1,w=3,x=1,y=9" + kLong,
        "cauchy:k=1,m=1,w=3,x=1,y=" + std::string(100'000, '9'),
        "file:" + kLong,
        "file:{\"" + kLong,
        "file:{\"" + kLong + "\":1}",
        "file:{\"format\":\"" + kLong + "\"}",
        std::string("file:{\"format\":\"xorloom-code\",\"version\":1,\"") + kLong + "\":1}",
        "\x1b[2J:" + kLong}) {
    CAPTURE(spec.substr(0, 40));
    const std::string sentence = sentence_of([&] { static_cast<void>(make_code(spec)); });
    CHECK(sentence != "");
    CHECK(sentence.size() < 1000);
    CHECK(sentence.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("Errors repeat no more of a matrix than an excerpt") {
  const std::string unusual = "2 2\n1\x1b\n";
  const std::string sentence = sentence_of([&] { static_cast<void>(read_bitmatrix(unusual)); });
  CHECK(sentence == "line 2: character 2 is '?', not 0 or 1");
}

}  // namespace xorloom
