#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xorloom::cli {

// Messages of HTTP/1.1 (RFC 9110, RFC 9112), as far as a service of documents needs them.

/// A request without a body: what stands before its empty line.
struct HttpRequest {
  std::string method;
  std::string path;                                          ///< decoded, without the query
  std::vector<std::pair<std::string, std::string>> query{};  ///< keys and values, decoded
  std::string known_etags{};                                 ///< value of If-None-Match
  bool keeps_alive = true;                                   ///< another request may follow
  bool has_body = false;
};

/// Bytes of the head of a request in `text`, with its empty line; nullopt if it is not complete.
std::optional<std::size_t> head_bytes(std::string_view text);

/// Reads the head of a request. Returns nullopt if it is none of HTTP/1.0 or HTTP/1.1 with a path
/// that begins with '/', or if a decoded value has control characters. A '+' is a plus sign, as in
/// specs of codes.
std::optional<HttpRequest> read_request(std::string_view head);

/// An answer. Bodies are shared with the cache.
struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";  ///< media type of the body
  std::shared_ptr<const std::string> body = std::make_shared<const std::string>();
  std::string etag{};     ///< with its quotes; "": none
  std::string policy{};   ///< value of Content-Security-Policy; "": none
  int retry_seconds = 0;  ///< value of Retry-After; 0: none
};

/// The head of an answer, with its empty line. `keeps_alive` false says that the connection ends.
std::string head_of(const HttpAnswer& answer, bool keeps_alive);

/// The ETag of a body: a checksum in quotes.
std::string etag_of(std::string_view body);

/// An answer of {"error": sentence}.
HttpAnswer error_answer(int status, std::string_view sentence);

/// True if If-None-Match names the ETag, or is "*". Weak tags match (RFC 9110, section 13.1.2).
bool is_known(std::string_view known_etags, std::string_view etag);

}  // namespace xorloom::cli
