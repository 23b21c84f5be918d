#include "cli/service/http_message.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "cli/service/answer_cache.hpp"
#include "cli/service/questions.hpp"
#include "tests/support/has.hpp"
#include "tests/support/refusal.hpp"

namespace xorloom::cli {
namespace {

using test::has;
using test::refusal;

std::optional<HttpRequest> request(const std::string& lines) {
  return read_request(lines + "\r\n");
}

HttpAnswer answer_of(std::size_t bytes) {
  HttpAnswer answer;
  answer.body = std::make_shared<const std::string>(bytes, 'x');
  return answer;
}

}  // namespace

TEST_CASE("a request is read with its path, its query and its fields") {
  const auto read = request(
      "GET /v1/equations?spec=cauchy:x=1+2%2B3&erase=0,3&flag HTTP/1.1\r\n"
      "Host: here\r\nIF-NONE-MATCH:  \"a\", \"b\" \r\n");
  REQUIRE(read);
  CHECK(read->method == "GET");
  CHECK(read->path == "/v1/equations");
  REQUIRE(read->query.size() == 3);
  CHECK(read->query[0].second == "cauchy:x=1+2+3");
  CHECK(read->query[1].first == "erase");
  CHECK(read->query[2].second == "");
  CHECK(read->known_etags == "\"a\", \"b\"");
  CHECK(read->keeps_alive);
  CHECK(!read->has_body);
  CHECK(!request("GET / HTTP/1.0\r\n")->keeps_alive);
  CHECK(!request("GET / HTTP/1.1\r\nConnection: Close\r\n")->keeps_alive);
  CHECK(request("GET / HTTP/1.1\r\nContent-Length: 0\r\n")->has_body == false);
  CHECK(request("GET / HTTP/1.1\r\nContent-Length: 5\r\n")->has_body);
  CHECK(request("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n")->has_body);
}

TEST_CASE("what is no request of HTTP/1.1 is refused") {
  for (const char* lines :
       {"", "GET\r\n", "GET /\r\n", "GET / HTTP/2\r\n", "get / HTTP/1.1\r\n", "GET x HTTP/1.1\r\n",
        "GET /%4 HTTP/1.1\r\n", "GET /%zz HTTP/1.1\r\n", "GET /%00 HTTP/1.1\r\n",
        "GET /?a=%0a HTTP/1.1\r\n", "GET / HTTP/1.1\r\nno field\r\n", " / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nContent-Length : 5\r\n", "GET /  HTTP/1.1\r\n"}) {
    CAPTURE(lines);
    CHECK(!request(lines));
  }
  CHECK(!head_bytes("GET / HTTP/1.1\r\n"));
  CHECK(head_bytes("GET / HTTP/1.1\r\n\r\nrest") == 18);
}

TEST_CASE("random bytes are read without harm, and a head that is read is one of the rules") {
  std::string letters = "GET /?&=%:+ \r\nHTTP/1.10aF-\t\xff";
  letters += '\0';
  for (std::uint32_t seed = 0; seed < 20'000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::string text = seed % 2 == 0 ? "GET /" : "";
    for (std::size_t i = random() % 60; i-- > 0;) text += letters[random() % letters.size()];
    if (seed % 3 == 0) text += " HTTP/1.1\r\n\r\n";
    const auto read = read_request(text);
    if (read) CHECK(read->path.starts_with('/'));
  }
}

TEST_CASE("the head of an answer has its length, its ETag and what becomes of the connection") {
  HttpAnswer answer = answer_of(3);
  answer.etag = "\"1\"";
  CHECK(head_of(answer, true) ==
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\n"
        "Content-Length: 3\r\nETag: \"1\"\r\nCache-Control: no-cache\r\nConnection: "
        "keep-alive\r\n\r\n");
  answer.policy = "default-src 'none'";
  CHECK(has(head_of(answer, true), "\r\nContent-Security-Policy: default-src 'none'\r\n"));
  answer.status = 304;
  CHECK(!has(head_of(answer, false), "Content-Length"));
  CHECK(has(head_of(answer, false), "\r\nConnection: close\r\n"));
  CHECK(etag_of("a") == etag_of("a"));
  CHECK(etag_of("a") != etag_of("b"));
  CHECK(is_known("W/\"1\"", "\"1\""));
  CHECK(is_known("\"0\" ,\"1\"", "\"1\""));
  CHECK(is_known("*", "\"1\""));
  CHECK(!is_known("\"11\"", "\"1\""));
  CHECK(!is_known("*", ""));
  CHECK(*error_answer(400, "a \"b\"").body == "{\n  \"error\": \"a \\\"b\\\"\"\n}\n");
}

TEST_CASE("the cache keeps what was asked for last, up to its bytes") {
  AnswerCache cache(10'000);
  for (const char* key : {"a", "b", "c"}) cache.keep(key, answer_of(3000 - 600));
  CHECK(cache.size() == 3);
  CHECK(cache.find("a") != nullptr);
  cache.keep("d", answer_of(2400));  // b was asked for longest ago
  CHECK(cache.find("b") == nullptr);
  CHECK(cache.find("a") != nullptr);
  CHECK(cache.bytes() <= 10'000);
  cache.keep("a", answer_of(10));
  CHECK(cache.find("a")->body->size() == 10);
  cache.keep("e", answer_of(20'000));
  CHECK(cache.find("e") == nullptr);
  cache.keep("a", answer_of(20'000));  // too large to keep; the old answer is outdated
  CHECK(cache.find("a") == nullptr);
}

TEST_CASE("a question is a call of the program, the same for any order of its keys") {
  const QuestionPath& path = question_paths().front();
  const auto question = [&](const std::string& query) {
    return question_of(path, *request("GET /?" + query + " HTTP/1.1\r\n"), "", 7);
  };
  const Question one = question("spec=rs:k=4,m=2&erase=0&style=iterative");
  CHECK(one.key() == question("style=iterative&erase=0&spec=rs:k=4,m=2").key());
  CHECK(one.arguments == std::vector<std::string>{"equations", "rs:k=4,m=2", "--quiet", "--erase=0",
                                                  "--format=json", "--style=iterative",
                                                  "--store=shipped", "--effort=fast"});
  CHECK(one.search.back() == "--seconds=7");
  CHECK(question("spec=rs:k=4,m=2").search.empty());
  for (const char* query : {"", "spec=", "spec=-o/x", "spec=file:x", "spec=a%20b", "spec=a&x=1",
                            "spec=a&output=x", "spec=a&spec=b", "spec=a&format=html"}) {
    CAPTURE(query);
    CHECK(refusal(Status::kInvalidArgument, [&] { (void)question(query); }) != "");
  }
}

}  // namespace xorloom::cli
