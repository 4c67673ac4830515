# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(Enzyme) for code that is written for that tool: the same targets, served by nabla.
# NABLA_LLVM chooses the version of LLVM; without it that of the compiler counts.
get_filename_component(NABLA_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(nabla_compiler "")
set(nabla_version "")
foreach(language C CXX)
  if(NOT nabla_compiler AND CMAKE_${language}_COMPILER_ID MATCHES "Clang|LLVM")
    set(nabla_compiler "${CMAKE_${language}_COMPILER}")
    set(nabla_version "${CMAKE_${language}_COMPILER_VERSION}")
  endif()
endforeach()
if(NOT DEFINED NABLA_LLVM)
  string(REGEX MATCH "^[0-9]+" NABLA_LLVM "${nabla_version}")
endif()
if(NOT NABLA_LLVM)
  unset(NABLA_LLVM)
  set(Enzyme_FOUND FALSE)
  set(Enzyme_NOT_FOUND_MESSAGE "nabla needs clang: set CMAKE_C_COMPILER=clang-22, say")
  return()
endif()
set(NABLA_PLUGIN "${NABLA_PREFIX}/lib/nabla/llvm-${NABLA_LLVM}/nabla.so")
if(NOT EXISTS "${NABLA_PLUGIN}")
  set(Enzyme_FOUND FALSE)
  set(Enzyme_NOT_FOUND_MESSAGE
      "nabla is not installed for LLVM ${NABLA_LLVM}: there is no ${NABLA_PLUGIN}")
  return()
endif()

# Which LLVM that is, for builds that call its programs.
set(Enzyme_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")
if(NOT nabla_version MATCHES "^${NABLA_LLVM}[.]")
  find_program(NABLA_CLANG NAMES "clang-${NABLA_LLVM}")
  set(nabla_compiler "${NABLA_CLANG}")
  set(nabla_version "${NABLA_LLVM}")
endif()
set(nabla_parts "${nabla_version}.0.0")
string(REPLACE "." ";" nabla_parts "${nabla_parts}")
list(GET nabla_parts 0 Enzyme_LLVM_VERSION_MAJOR)
list(GET nabla_parts 1 Enzyme_LLVM_VERSION_MINOR)
list(GET nabla_parts 2 Enzyme_LLVM_VERSION_PATCH)
set(Enzyme_CLANG_EXE "${nabla_compiler}")
set(Enzyme_TABLEGEN_EXE "")
set(Enzyme_LLVM_BINARY_DIR "")
if(nabla_compiler)
  execute_process(COMMAND "${nabla_compiler}" -print-resource-dir OUTPUT_VARIABLE nabla_resources
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(Enzyme_LLVM_BINARY_DIR "${nabla_resources}/../../.." ABSOLUTE)
  unset(nabla_resources)
endif()
set(Enzyme_LLVM_DIR "${Enzyme_LLVM_BINARY_DIR}/lib/cmake/llvm")
unset(nabla_compiler)
unset(nabla_version)
unset(nabla_parts)

foreach(name LLVMEnzyme ClangEnzyme LLDEnzyme)
  if(NOT TARGET ${name}-${NABLA_LLVM})
    add_library(${name}-${NABLA_LLVM} MODULE IMPORTED)
    set_target_properties(${name}-${NABLA_LLVM} PROPERTIES IMPORTED_LOCATION "${NABLA_PLUGIN}")
  endif()
endforeach()

# Compiling: each file gets its derivatives by itself. flang has no plugins for its own stage.
set(nabla_compiling "-fpass-plugin=${NABLA_PLUGIN}"
                    "$<$<NOT:$<COMPILE_LANGUAGE:Fortran>>:-fplugin=${NABLA_PLUGIN}>")
if(NOT TARGET ClangEnzymeFlags)
  add_library(ClangEnzymeFlags INTERFACE IMPORTED)
  target_compile_options(ClangEnzymeFlags INTERFACE ${nabla_compiling})
  target_include_directories(ClangEnzymeFlags SYSTEM INTERFACE
                             "${NABLA_PREFIX}/include" "${NABLA_PREFIX}/lib/nabla/include")
endif()

# Linking: derivatives of the whole program. lld reads its options before it loads what they are
# options of, so that whatever target names one of ours has lld load us first.
set(nabla_loading "LINKER:-mllvm=-load=${NABLA_PLUGIN}")
if(NOT TARGET LLDEnzymeFlags)
  add_library(LLDEnzymeFlags INTERFACE IMPORTED)
  target_compile_options(LLDEnzymeFlags INTERFACE -flto ${nabla_compiling})
  target_include_directories(LLDEnzymeFlags SYSTEM INTERFACE
                             "${NABLA_PREFIX}/include" "${NABLA_PREFIX}/lib/nabla/include")
  target_link_options(LLDEnzymeFlags INTERFACE -flto -fuse-ld=lld ${nabla_loading}
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
  target_link_options(LLDEnzymeNoStrictAliasingFlags INTERFACE ${nabla_loading}
                      "LINKER:-mllvm=-nabla-strict-aliasing=0")
endif()
if(NOT TARGET LLDEnzymePrintFlags)
  add_library(LLDEnzymePrintFlags INTERFACE IMPORTED)
  target_link_options(LLDEnzymePrintFlags INTERFACE ${nabla_loading}
                      "LINKER:-mllvm=-enzyme-print")
endif()
if(NOT TARGET LLDEnzymePrintTypeFlags)
  add_library(LLDEnzymePrintTypeFlags INTERFACE IMPORTED)
  target_link_options(LLDEnzymePrintTypeFlags INTERFACE ${nabla_loading}
                      "LINKER:-mllvm=-nabla-print=types")
endif()
unset(nabla_compiling)
unset(nabla_loading)
set(Enzyme_LIBRARIES
    ClangEnzymeFlags LLDEnzymeFlags LLDEnzymeAssumeUnknownNoFree LLDEnzymeLooseTypeFlags
    LLDEnzymePrintTypeFlags LLDEnzymePrintFlags LLDEnzymeNoStrictAliasingFlags
    LLVMEnzyme-${NABLA_LLVM} ClangEnzyme-${NABLA_LLVM} LLDEnzyme-${NABLA_LLVM})
set(Enzyme_FOUND TRUE)
