# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(nabla): derivatives for targets that are compiled by clang or flang.
#
#   target_link_libraries(mine PRIVATE nabla::cc)    each file gets its derivatives by itself
#   target_link_libraries(mine PRIVATE nabla::lto)   the link step makes them, of all files together
#   target_link_libraries(mine PRIVATE nabla::mpfr)  formats longer than a double, by MPFR
#
# The first two speak to C, C++ and Fortran. NABLA_LLVM chooses the version of LLVM; without it that of the
# compilers counts.
get_filename_component(NABLA_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(nabla_FOUND FALSE)
foreach(language C CXX Fortran)
  if(CMAKE_${language}_COMPILER_ID MATCHES "Clang|LLVMFlang" AND NOT DEFINED NABLA_LLVM)
    string(REGEX MATCH "^[0-9]+" NABLA_LLVM "${CMAKE_${language}_COMPILER_VERSION}")
    if(NOT NABLA_LLVM)
      unset(NABLA_LLVM)
    endif()
  endif()
endforeach()
if(NOT DEFINED NABLA_LLVM)
  set(nabla_NOT_FOUND_MESSAGE "nabla needs clang or flang: set CMAKE_C_COMPILER=clang-22, say")
  return()
endif()
set(NABLA_PLUGIN "${NABLA_PREFIX}/lib/nabla/llvm-${NABLA_LLVM}/nabla.so")
if(NOT EXISTS "${NABLA_PLUGIN}")
  set(nabla_NOT_FOUND_MESSAGE
      "nabla is not installed for LLVM ${NABLA_LLVM}: there is no ${NABLA_PLUGIN}")
  return()
endif()

if(NOT TARGET nabla::cc)
  add_library(nabla::cc INTERFACE IMPORTED)
  set(of_clang "$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>")
  target_compile_options(nabla::cc INTERFACE
    "$<$<OR:${of_clang}>:-fplugin=${NABLA_PLUGIN};-fpass-plugin=${NABLA_PLUGIN}>"
    "$<$<OR:${of_clang}>:-fno-discard-value-names;-Rpass=__none__>"
    "$<$<COMPILE_LANG_AND_ID:Fortran,LLVMFlang>:-fpass-plugin=${NABLA_PLUGIN}>")
  target_include_directories(nabla::cc SYSTEM INTERFACE
    "$<$<OR:$<COMPILE_LANGUAGE:C>,$<COMPILE_LANGUAGE:CXX>>:${NABLA_PREFIX}/include>"
    "$<$<COMPILE_LANGUAGE:Fortran>:${NABLA_PREFIX}/lib/nabla/llvm-${NABLA_LLVM}/fortran>")
  unset(of_clang)
endif()
if(NOT TARGET nabla::lto)
  add_library(nabla::lto INTERFACE IMPORTED)
  target_link_libraries(nabla::lto INTERFACE nabla::cc)
  target_compile_options(nabla::lto INTERFACE -flto)
  # CMake's LINKER: knows no flang before 3.28, and takes commas apart.
  target_link_options(nabla::lto INTERFACE -flto -fuse-ld=lld "SHELL:-Xlinker --fat-lto-objects"
                      "SHELL:-Xlinker \"-mllvm=-load=${NABLA_PLUGIN}\""
                      "SHELL:-Xlinker \"--load-pass-plugin=${NABLA_PLUGIN}\"")
endif()
set(NABLA_MPFR "${NABLA_PREFIX}/lib/nabla/llvm-${NABLA_LLVM}/libnabla-mpfr.a")
if(NOT TARGET nabla::mpfr AND EXISTS "${NABLA_MPFR}")
  add_library(nabla::mpfr STATIC IMPORTED)
  set_target_properties(nabla::mpfr PROPERTIES IMPORTED_LOCATION "${NABLA_MPFR}"
                                               INTERFACE_LINK_LIBRARIES "mpfr;gmp")
endif()
set(nabla_FOUND TRUE)
