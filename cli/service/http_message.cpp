#include "cli/service/http_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "cli/shell/streams.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/checksum.hpp"

namespace xorloom::cli {
namespace {

struct StatusName {
  int status;
  const char* name;
};

constexpr std::array kStatusNames = {StatusName{200, "OK"},
                                     StatusName{304, "Not Modified"},
                                     StatusName{400, "Bad Request"},
                                     StatusName{404, "Not Found"},
                                     StatusName{405, "Method Not Allowed"},
                                     StatusName{413, "Content Too Large"},
                                     StatusName{429, "Too Many Requests"},
                                     StatusName{431, "Request Header Fields Too Large"},
                                     StatusName{500, "Internal Server Error"},
                                     StatusName{503, "Service Unavailable"}};

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Replaces %xx by the byte. Returns nullopt for other uses of '%' and for control characters.
std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(16 * high + low);
      i += 2;
    }
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) return std::nullopt;
    result += c;
  }
  return result;
}

/// Cuts what stands before `separator` off, and the separator. Takes all if there is none.
std::string_view cut(std::string_view& text, std::string_view separator) {
  const std::size_t end = text.find(separator);
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return first;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Reads "/path?key=value&…". Returns false if it is not of that form.
bool read_target(std::string_view target, HttpRequest& request) {
  if (!target.starts_with('/')) return false;
  const auto path = decoded(cut(target, "?"));
  if (!path) return false;
  request.path = *path;
  while (!target.empty()) {
    std::string_view value = cut(target, "&");
    const auto key = decoded(cut(value, "="));
    const auto text = decoded(value);
    if (!key || !text) return false;
    if (!key->empty()) request.query.emplace_back(*key, *text);
  }
  return true;
}

}  // namespace

std::optional<std::size_t> head_bytes(std::string_view text) {
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  return end + 4;
}

std::optional<HttpRequest> read_request(std::string_view head) {
  std::string_view line = cut(head, "\r\n");
  HttpRequest request;
  request.method = cut(line, " ");
  const std::string_view target = cut(line, " ");
  if (line != "HTTP/1.1" && line != "HTTP/1.0") return std::nullopt;
  request.keeps_alive = line == "HTTP/1.1";
  if (request.method.empty() ||
      !std::ranges::all_of(request.method, [](unsigned char c) { return std::isupper(c) != 0; })) {
    return std::nullopt;
  }
  if (!read_target(target, request)) return std::nullopt;
  for (std::string_view field = cut(head, "\r\n"); !field.empty(); field = cut(head, "\r\n")) {
    if (field.find(':') == std::string_view::npos) return std::nullopt;
    const std::string name = lower(cut(field, ":"));
    if (name.empty() || name.find_first_of(" \t") != std::string::npos) return std::nullopt;
    const std::string_view value = trimmed(field);
    if (name == "content-length") request.has_body |= value != "0";
    if (name == "transfer-encoding") request.has_body = true;
    if (name == "if-none-match") request.known_etags = value;
    if (name == "connection") {
      const std::string choice = lower(value);
      if (choice == "close") request.keeps_alive = false;
      if (choice == "keep-alive") request.keeps_alive = true;
    }
  }
  return request;
}

std::string head_of(const HttpAnswer& answer, bool keeps_alive) {
  const auto* const name = std::ranges::find(kStatusNames, answer.status, &StatusName::status);
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", answer.status,
                                 name == kStatusNames.end() ? "" : name->name);
  if (answer.status != 304) {
    head +=
        fmt::format("Content-Type: {}\r\nX-Content-Type-Options: nosniff\r\nContent-Length: {}\r\n",
                    answer.type, answer.body->size());
  }
  if (!answer.policy.empty()) {
    head += fmt::format("Content-Security-Policy: {}\r\n", answer.policy);
  }
  if (!answer.etag.empty()) {
    head += fmt::format("ETag: {}\r\nCache-Control: no-cache\r\n", answer.etag);
  }
  if (answer.status == 405) head += "Allow: GET, HEAD\r\n";
  if (answer.retry_seconds != 0) head += fmt::format("Retry-After: {}\r\n", answer.retry_seconds);
  return head + fmt::format("Connection: {}\r\n\r\n", keeps_alive ? "keep-alive" : "close");
}

std::string etag_of(std::string_view body) {
  return fmt::format("\"{:016x}\"", checksum(bytes_of(body)));
}

HttpAnswer error_answer(int status, std::string_view sentence) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::make_shared<const std::string>(
      Json{{"error", sentence}}.dump(2, Json::Strings::kReplaced) + "\n");
  return answer;
}

bool is_known(std::string_view known_etags, std::string_view etag) {
  if (etag.empty()) return false;
  while (!known_etags.empty()) {
    std::string_view one = trimmed(cut(known_etags, ","));
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || one == etag) return true;
  }
  return false;
}

}  // namespace xorloom::cli
