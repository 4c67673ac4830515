# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(Enzyme) for code that is written for that tool: the same targets, served by nabla.
# NABLA_LLVM chooses the version of LLVM; without it that of the compiler counts.
get_filename_component(NABLA_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT DEFINED NABLA_LLVM)
  string(REGEX MATCH "^[0-9]+" NABLA_LLVM "${CMAKE_CXX_COMPILER_VERSION}")
  if(NOT NABLA_LLVM)
    string(REGEX MATCH "^[0-9]+" NABLA_LLVM "${CMAKE_C_COMPILER_VERSION}")
  endif()
endif()
set(NABLA_PLUGIN "${NABLA_PREFIX}/lib/nabla/llvm-${NABLA_LLVM}/nabla.so")
if(NOT EXISTS "${NABLA_PLUGIN}")
  set(Enzyme_FOUND FALSE)
  set(Enzyme_NOT_FOUND_MESSAGE
      "nabla is not installed for LLVM ${NABLA_LLVM}: there is no ${NABLA_PLUGIN}")
  return()
endif()

foreach(name LLVMEnzyme ClangEnzyme LLDEnzyme)
  if(NOT TARGET ${name}-${NABLA_LLVM})
    add_library(${name}-${NABLA_LLVM} MODULE IMPORTED)
    set_target_properties(${name}-${NABLA_LLVM} PROPERTIES IMPORTED_LOCATION "${NABLA_PLUGIN}")
  endif()
endforeach()

# Compiling: each file gets its derivatives by itself.
if(NOT TARGET ClangEnzymeFlags)
  add_library(ClangEnzymeFlags INTERFACE IMPORTED)
  target_compile_options(ClangEnzymeFlags INTERFACE "-fplugin=${NABLA_PLUGIN}"
                                                    "-fpass-plugin=${NABLA_PLUGIN}")
  target_include_directories(ClangEnzymeFlags SYSTEM INTERFACE
                             "${NABLA_PREFIX}/include" "${NABLA_PREFIX}/lib/nabla/include")
endif()

# Linking: derivatives of the whole program.
if(NOT TARGET LLDEnzymeFlags)
  add_library(LLDEnzymeFlags INTERFACE IMPORTED)
  target_compile_options(LLDEnzymeFlags INTERFACE -flto "-fplugin=${NABLA_PLUGIN}"
                                                  "-fpass-plugin=${NABLA_PLUGIN}")
  target_include_directories(LLDEnzymeFlags SYSTEM INTERFACE
                             "${NABLA_PREFIX}/include" "${NABLA_PREFIX}/lib/nabla/include")
  target_link_options(LLDEnzymeFlags INTERFACE -flto -fuse-ld=lld
                      "LINKER:-mllvm=-load=${NABLA_PLUGIN}"
                      "LINKER:--load-pass-plugin=${NABLA_PLUGIN}")
endif()

# Options of the tool that nabla has no use for.
foreach(name LLDEnzymeLooseTypeFlags LLDEnzymeAssumeUnknownNoFree)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE IMPORTED)
  endif()
endforeach()

# Those that it honours. LINKER: splits its argument at commas, so that none may stand in one.
if(NOT TARGET LLDEnzymeNoStrictAliasingFlags)
  add_library(LLDEnzymeNoStrictAliasingFlags INTERFACE IMPORTED)
  target_link_options(LLDEnzymeNoStrictAliasingFlags INTERFACE
                      "LINKER:-mllvm=-nabla-strict-aliasing=0")
endif()
if(NOT TARGET LLDEnzymePrintFlags)
  add_library(LLDEnzymePrintFlags INTERFACE IMPORTED)
  target_link_options(LLDEnzymePrintFlags INTERFACE "LINKER:-mllvm=-enzyme-print")
endif()
if(NOT TARGET LLDEnzymePrintTypeFlags)
  add_library(LLDEnzymePrintTypeFlags INTERFACE IMPORTED)
  target_link_options(LLDEnzymePrintTypeFlags INTERFACE "LINKER:-mllvm=-nabla-print=types")
endif()
set(Enzyme_FOUND TRUE)
