// Writes the manual pages into a directory, from what the program knows of its own options:
// xorloom_write_man DIRECTORY. It is run when the program is built, and not installed.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "cli/commands/man.hpp"
#include "cli/commands/program.hpp"

namespace xorloom::cli {
namespace {

void write_page(const std::filesystem::path& directory, const Command& command,
                const Command& program) {
  const std::filesystem::path path = directory / (man_name(command) + ".1");
  std::ofstream file(path, std::ios::binary);
  file << man_page(command, program);
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace
}  // namespace xorloom::cli

int main(int argc, char** argv) {
  using namespace xorloom::cli;
  try {
    if (argc != 2) throw std::runtime_error("usage: xorloom_write_man DIRECTORY");
    const Command program = make_program();
    std::filesystem::create_directories(argv[1]);
    write_page(argv[1], program, program);
    for (const Command& command : program.commands) write_page(argv[1], command, program);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "xorloom_write_man: " << error.what() << '\n';
    return 1;
  }
}
