# The build for browsers: the rooms that touch no bytes of users, by emscripten. scripts/make-page runs it.

# The headers of libraries are those of this machine, which have no code of its processor. Its C library's stay out.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
foreach(header fmt/format.h nlohmann/json.hpp)
  find_path(XORLOOM_DIR_OF_${header} ${header} PATHS /usr/include REQUIRED NO_DEFAULT_PATH
            NO_CMAKE_FIND_ROOT_PATH)
  get_filename_component(folder ${header} DIRECTORY)
  file(CREATE_LINK ${XORLOOM_DIR_OF_${header}}/${folder} ${PROJECT_BINARY_DIR}/include/${folder}
       SYMBOLIC)
endforeach()
add_library(xorloom_headers INTERFACE)
target_include_directories(xorloom_headers SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/include)
add_library(fmt::fmt-header-only ALIAS xorloom_headers)
add_library(nlohmann_json::nlohmann_json ALIAS xorloom_headers)

add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)
# Counts of 64 bits that become indices fit the memory that they index.
target_compile_options(xorloom_build_flags INTERFACE -Wno-shorten-64-to-32)
add_subdirectory(codes)
add_subdirectory(equations)
add_subdirectory(gen)
add_subdirectory(web)
