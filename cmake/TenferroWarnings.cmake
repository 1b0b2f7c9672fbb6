# Flags. tenferro_warnings is an interface target that every module, test and program links privately; what changes
# results or code generation for the whole tree is set here once.
include_guard(GLOBAL)

option(TENFERRO_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
set(TENFERRO_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined or thread")
option(TENFERRO_COVERAGE "Instrument for line coverage" OFF)

add_library(tenferro_warnings INTERFACE)
target_compile_options(tenferro_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wswitch-enum
  $<$<BOOL:${TENFERRO_WARNINGS_AS_ERRORS}>:-Werror>)

# No silent fused multiply-add: the same source gives the same bits whatever instruction set a kernel is compiled for.
add_compile_options(-ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 at -O3 overlooks what a function that does not return writes to its arguments: errors were freed twice.
  add_compile_options(-fno-ipa-modref)
endif()
if(BUILD_SHARED_LIBS)
  # Symbols stay visible (no export macros); calls inside one library still bind directly.
  add_compile_options(-fno-semantic-interposition)
endif()

if(TENFERRO_SANITIZE)
  add_compile_options(-fsanitize=${TENFERRO_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TENFERRO_SANITIZE})
  if(TENFERRO_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
if(TENFERRO_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(TENFERRO_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
