# xorloom_generate(TARGET name SPEC spec
#                  [LANGUAGE C++|C] [NAME name] [STYLE direct|iterative] [EFFORT fast|normal]
#                  [ERASE locations...] [WANT locations] [LIBRARY directory])
#
# Adds a static library. Its source is what `xorloom emit` writes for a code, and the build writes it:
#
#   xorloom_generate(TARGET storage SPEC cauchy-good:k=10,m=4 STYLE iterative ERASE 0,3 12)
#   target_link_libraries(server PRIVATE storage)   # #include "storage.hpp", xl_storage::encode
#
#   NAME      the name in functions, xl_NAME::encode or xl_NAME_encode (default: TARGET)
#   ERASE     sets of lost locations, such as 0,3; each set gets a function that rebuilds it
#   STYLE, EFFORT, WANT   the options of emit with these names
#   LIBRARY   a directory of equations (xorloom --store) for STYLE iterative, besides those that come
#             with Xorloom. The build copies it, and writes nothing there.
#
# The target has TARGET.hpp (TARGET.h in C) in its include directories. The build runs the program of the
# package or, if the project contains the sources of Xorloom, the program built there. XORLOOM_PROGRAM
# names another program, for example in a build for another machine.

set(XORLOOM_PROGRAM "" CACHE FILEPATH "The xorloom that xorloom_generate runs, if not the package's own")

function(xorloom_generate)
  set(options TARGET SPEC LANGUAGE NAME STYLE EFFORT WANT LIBRARY)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${options}" "ERASE")
  foreach(needed IN ITEMS TARGET SPEC)
    if(NOT DEFINED arg_${needed})
      message(FATAL_ERROR "xorloom_generate needs ${needed}")
    endif()
  endforeach()
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "xorloom_generate does not know ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(DEFINED arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "xorloom_generate: ${arg_KEYWORDS_MISSING_VALUES} needs a value")
  endif()

  if(XORLOOM_PROGRAM)
    set(program "${XORLOOM_PROGRAM}")
    set(program_file "${XORLOOM_PROGRAM}")
  elseif(TARGET xorloom::program)
    set(program xorloom::program)
    set(program_file $<TARGET_FILE:xorloom::program>)
  else()
    message(FATAL_ERROR "xorloom_generate: the program xorloom is not installed with this package: "
                        "install it or set XORLOOM_PROGRAM")
  endif()

  if(NOT DEFINED arg_NAME)
    string(MAKE_C_IDENTIFIER "${arg_TARGET}" arg_NAME)
  endif()
  if(NOT DEFINED arg_LANGUAGE OR arg_LANGUAGE STREQUAL "C++")
    set(language c++)
    set(source_ending cpp)
    set(header_ending hpp)
  elseif(arg_LANGUAGE STREQUAL "C")
    set(language c)
    set(source_ending c)
    set(header_ending h)
  else()
    message(FATAL_ERROR "xorloom_generate: LANGUAGE ${arg_LANGUAGE} is not C++ or C")
  endif()
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/xorloom/${arg_TARGET}")
  set(source "${directory}/${arg_TARGET}.${source_ending}")
  set(header "${directory}/${arg_TARGET}.${header_ending}")

  set(call emit "${arg_SPEC}" --target ${language} --name "${arg_NAME}" -o "${source}" --header
           "${header}")
  foreach(lost IN LISTS arg_ERASE)
    list(APPEND call --erase "${lost}")
  endforeach()
  foreach(option IN ITEMS WANT STYLE EFFORT)
    if(DEFINED arg_${option})
      string(TOLOWER "--${option}" name)
      list(APPEND call ${name} "${arg_${option}}")
    endif()
  endforeach()
  set(copy "")
  set(kept "")
  if("${arg_STYLE}" STREQUAL "iterative")
    # What the user's own searches found is none of a build's concern.
    list(APPEND call --store "${directory}/store")
    if(DEFINED arg_LIBRARY)
      get_filename_component(arg_LIBRARY "${arg_LIBRARY}" ABSOLUTE)
      if(NOT IS_DIRECTORY "${arg_LIBRARY}")
        message(FATAL_ERROR "xorloom_generate: there is no library ${arg_LIBRARY}")
      endif()
      file(GLOB_RECURSE kept CONFIGURE_DEPENDS "${arg_LIBRARY}/*.json" "${arg_LIBRARY}/*.wisdom")
      # Files that are no longer in the library leave the copy as well.
      set(copy COMMAND "${CMAKE_COMMAND}" -E rm -rf "${directory}/store"
               COMMAND "${CMAKE_COMMAND}" -E copy_directory "${arg_LIBRARY}" "${directory}/store")
    endif()
  elseif(DEFINED arg_LIBRARY)
    message(FATAL_ERROR "xorloom_generate: LIBRARY is for STYLE iterative")
  endif()
  string(REGEX MATCH "^file:(.+)$" is_file "${arg_SPEC}")
  if(is_file)
    get_filename_component(code "${CMAKE_MATCH_1}" ABSOLUTE)
    list(APPEND kept "${code}")
  endif()

  file(MAKE_DIRECTORY "${directory}")
  add_custom_command(
    OUTPUT "${source}" "${header}"
    ${copy}
    COMMAND "${program_file}" ${call}
    DEPENDS ${program} ${kept}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "Generating ${arg_TARGET}.${source_ending} of ${arg_SPEC}"
    VERBATIM)
  add_library(${arg_TARGET} STATIC "${source}" "${header}")
  target_include_directories(${arg_TARGET} PUBLIC "${directory}")
  set_target_properties(${arg_TARGET} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(language STREQUAL "c++")
    target_compile_features(${arg_TARGET} PUBLIC cxx_std_17)
  else()
    target_compile_features(${arg_TARGET} PUBLIC c_std_11)
  endif()
endfunction()
