# What every folder's CMakeLists.txt shares: how it is compiled, which of its files make its library, and
# which make its tests. A new file is picked up by its name alone.
include(GoogleTest)

add_library(ampcheck_options INTERFACE)
target_include_directories(ampcheck_options INTERFACE ${PROJECT_SOURCE_DIR})
# No contraction anywhere: a fused multiply-add rounds once where the source says twice.
target_compile_options(ampcheck_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror -ffp-contract=off)
target_compile_definitions(ampcheck_options INTERFACE AMPCHECK_VERSION="${PROJECT_VERSION}")
if(AMPCHECK_SANITIZE)
  target_compile_options(ampcheck_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ampcheck_options INTERFACE -fsanitize=address,undefined)
endif()
if(AMPCHECK_FUZZ)
  target_compile_options(ampcheck_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns of overruns inside its own std::string and std::vector (bugs 105329, 105651 and kin).
  target_compile_options(ampcheck_options INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
endif()

# Sets <library> to this folder's sources and <tests> to its *_test.cpp, subfolders included.
function(ampcheck_sources library tests)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  list(FILTER sources EXCLUDE REGEX "(^|/)(main|testdata/.*)\\.cpp$")
  set(test_sources ${sources})
  # A mutant may be called "…-test": nothing under mutants/ or controls/ is a test.
  list(FILTER test_sources INCLUDE REGEX "_test\\.cpp$")
  list(FILTER test_sources EXCLUDE REGEX "^(mutants|controls)/")
  if(test_sources)
    list(REMOVE_ITEM sources ${test_sources})
  endif()
  set(${library} ${sources} PARENT_SCOPE)
  set(${tests} ${test_sources} PARENT_SCOPE)
endfunction()

# ampcheck_folder(NAME [WHOLE] LINKS … GENERATED …): the library ampcheck_NAME of this folder, generated files
# included, and its tests NAME_test.
# WHOLE: whoever links it gets all of it, also files that nobody calls because they register themselves.
function(ampcheck_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "" "LINKS;GENERATED")
  ampcheck_sources(sources test_sources)
  list(APPEND sources ${arg_GENERATED})
  if(NOT sources)
    add_library(ampcheck_${name} INTERFACE)
    target_link_libraries(ampcheck_${name} INTERFACE ampcheck_options ${arg_LINKS})
  elseif(arg_WHOLE)
    add_library(ampcheck_${name}_files STATIC ${sources})
    target_link_libraries(ampcheck_${name}_files PUBLIC ampcheck_options ${arg_LINKS})
    add_library(ampcheck_${name} INTERFACE)
    target_link_libraries(ampcheck_${name} INTERFACE
      "$<LINK_LIBRARY:WHOLE_ARCHIVE,ampcheck_${name}_files>")
  else()
    add_library(ampcheck_${name} STATIC ${sources})
    target_link_libraries(ampcheck_${name} PUBLIC ampcheck_options ${arg_LINKS})
  endif()

  if(BUILD_TESTING AND test_sources)
    add_executable(${name}_test ${test_sources})
    target_link_libraries(${name}_test PRIVATE ampcheck_${name} GTest::gmock GTest::gtest_main)
    target_compile_definitions(${name}_test PRIVATE AMPCHECK_ROOT="${PROJECT_SOURCE_DIR}")
    if(AMPCHECK_SANITIZE)
      # Optimising sanitized assertions takes most of a build and makes the tests hardly faster.
      target_compile_options(${name}_test PRIVATE -O0)
    endif()
    set(timeout 300)
    if(AMPCHECK_SANITIZE)
      set(timeout 900)
    endif()
    # One ctest entry a TEST: a crash costs its own entry only, and ctest -j spreads them.
    gtest_discover_tests(${name}_test
      TEST_PREFIX "${name}/" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES PROPERTIES TIMEOUT ${timeout})
  endif()
endfunction()
