#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/service/service.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kServeAbout =
    "answer questions about codes over HTTP\n"
    "Listens on this machine, and answers requests such as "
    "/v1/equations?spec=rs:k=10,m=4&erase=0,3 with the document that the program prints for the "
    "same question: equations, plans for cores, their costs and pictures. Answers come from a "
    "cache, or are computed by a process of their own. Equations in style=iterative come from the "
    "store of programs, and better ones are searched in the background. The path /v1 lists what "
    "can be asked, and / is the explorer, a page for browsers, where it is installed. No request "
    "opens a file that it names: specs with file: are refused. Ctrl-C ends the service.";

constexpr const char* kServeExamples =
    "xorloom serve\n"
    "xorloom serve --socket /tmp/xorloom.sock --search-seconds 60\n"
    "xorloom serve --port 0 --store shipped --cache 16M";

constexpr std::size_t kDefaultPort = 8127;

void run(const ServiceOptions& options) {
  Service service(options);
  say(fmt::format("xorloom: listening on {}", service.name()));
  service.run();
}

}  // namespace

Command serve_command() {
  Command command{"serve", kServeAbout, kServeExamples};
  const auto options = std::make_shared<ServiceOptions>();
  options->at.port = kDefaultPort;
  options->jobs = machine_threads();
  add_number(command, "--port", options->at.port, 0, 65'535,
             fmt::format("port to listen on; 0: any that is free; default: {}", kDefaultPort));
  add_text(command, "--address", "ADDRESS", options->at.address,
           "address of this machine to listen on, in numbers. Others than 127.0.0.1 and ::1 let "
           "other machines ask; default: 127.0.0.1");
  add_text(command, "--socket", "PATH", options->at.socket,
           "listen on a Unix socket that only this user can open, in place of a port");
  add_store(command, options->store, nullptr, "", "");
  add_text(command, "--page", "FILE", options->page,
           "the explorer's page for browsers, which / then answers with; off: none; default: the "
           "one that is installed, if there is");
  add_bytes(command, "--cache", options->cache_bytes, 0, std::size_t{1} << 40,
            "bytes of answers that are kept in memory; default: 64M");
  add_number(command, "--jobs", options->jobs, 1, 1024,
             "how many answers are computed at once; default: one per processor");
  add_number(command, "--rate", options->rate, 1, 1'000'000,
             "how many answers a client may have computed per second; answers from the cache are "
             "not counted; default: 20");
  add_number(command, "--connections", options->connections, 1, 65'536,
             "how many clients may be connected at once; more wait; default: 2048");
  add_number(command, "--timeout", options->timeout, 1, 3600,
             "seconds that a client may take to send a request or to read an answer, and that an "
             "answer may be computed; default: 10");
  add_number(command, "--search-seconds", options->search_seconds, 0, 86'400,
             "seconds of each search in the background; 0: none; default: 10");
  command.run = [options](const Command& given) {
    if (is_given(given, "--socket") &&
        (is_given(given, "--port") || is_given(given, "--address"))) {
      fail(Status::kInvalidArgument,
           "--socket takes the place of --port and --address: give one of them");
    }
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
