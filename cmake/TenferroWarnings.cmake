# Warning and sanitizer flags as one interface target, linked privately by every module, test and program.
option(TENFERRO_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
set(TENFERRO_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined or thread")

add_library(tenferro_warnings INTERFACE)
target_compile_options(tenferro_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wswitch-enum
  $<$<BOOL:${TENFERRO_WARNINGS_AS_ERRORS}>:-Werror>)

if(TENFERRO_SANITIZE)
  add_compile_options(-fsanitize=${TENFERRO_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TENFERRO_SANITIZE})
endif()
