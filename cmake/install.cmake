# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is installed, in four components: `plugin`, of which each version has its own folder;
# `programs`, with nabla.pc, which packages of several versions cannot share (packages.cmake);
# `dev`, which is the same for all versions; and `completion`, which Debian keeps elsewhere.
set(version_folder lib/nabla/llvm-${LLVM_VERSION_MAJOR})
install(TARGETS nabla LIBRARY DESTINATION ${version_folder} COMPONENT plugin)
if(TARGET nabla-mpfr)
  install(TARGETS nabla-mpfr ARCHIVE DESTINATION ${version_folder} COMPONENT plugin)
endif()
if(NABLA_FLANG)
  install(DIRECTORY "${fortran_folder}" DESTINATION ${version_folder} COMPONENT plugin)
endif()

set(programs nabla nabla-cc nabla-c++ nabla-fc nabla-llvm-ar nabla-llvm-ranlib)
foreach(name ${programs})
  string(REPLACE "nabla" "driver" target "${name}")
  install(TARGETS ${target} DESTINATION bin COMPONENT programs)
  install(TARGETS ${target} DESTINATION ${version_folder}/bin COMPONENT alternatives
          EXCLUDE_FROM_ALL)
  if(NOT name MATCHES "llvm")
    install(FILES completions/nabla.bash DESTINATION share/bash-completion/completions
            RENAME ${name} COMPONENT dev)
    install(FILES completions/nabla.fish DESTINATION share/fish/vendor_completions.d
            RENAME ${name}.fish COMPONENT dev)
  endif()
endforeach()

if(TARGET nabla-rulec)
  install(TARGETS nabla-rulec DESTINATION bin COMPONENT programs)
  install(TARGETS nabla-rulec DESTINATION ${version_folder}/bin COMPONENT alternatives
          EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY tools/ruletest/ DESTINATION share/nabla/ruletest COMPONENT dev
        FILES_MATCHING PATTERN "*.[ch]" PATTERN "report.h" EXCLUDE)

# <enzyme/...> stands apart, so that no other program's headers of that name are hidden.
install(DIRECTORY include/nabla include/nabla-c DESTINATION include COMPONENT dev)
install(DIRECTORY include/enzyme include/poseidon DESTINATION lib/nabla/include COMPONENT dev)
install(DIRECTORY rules/ DESTINATION share/nabla/rules COMPONENT dev
        FILES_MATCHING PATTERN "*.rules")
install(DIRECTORY docs/man/ DESTINATION share/man/man1 COMPONENT dev FILES_MATCHING PATTERN "*.1")
install(DIRECTORY python/ DESTINATION share/nabla/python COMPONENT dev
        FILES_MATCHING PATTERN "*.py")
install(FILES completions/_nabla DESTINATION share/zsh/site-functions COMPONENT completion)
install(FILES LICENSE DESTINATION share/doc/nabla COMPONENT dev)

# For other programs' builds.
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/nablaConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/nablaConfig.cmake "${PROJECT_BINARY_DIR}/nablaConfigVersion.cmake"
        DESTINATION lib/cmake/nabla COMPONENT dev)
# The version of the tool whose vocabulary this is, as its macros say it (include/nabla/version.h).
file(STRINGS include/nabla/version.h spoken REGEX "define ENZYME_VERSION_")
string(REGEX MATCHALL "[0-9]+" spoken "${spoken}")
list(JOIN spoken "." spoken)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/EnzymeConfigVersion.cmake"
                                 VERSION "${spoken}" COMPATIBILITY AnyNewerVersion
                                 ARCH_INDEPENDENT)
install(FILES cmake/EnzymeConfig.cmake "${PROJECT_BINARY_DIR}/EnzymeConfigVersion.cmake"
        DESTINATION lib/cmake/Enzyme COMPONENT dev)

# It names a version of LLVM, so that each package of a version has its own, for a link of
# update-alternatives; elsewhere it may be moved with the rest.
set(NABLA_PREFIX "\${pcfiledir}/../..")
configure_file(cmake/nabla.pc.in "${PROJECT_BINARY_DIR}/nabla.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/nabla.pc" DESTINATION lib/pkgconfig COMPONENT programs)
set(NABLA_PREFIX /usr)
configure_file(cmake/nabla.pc.in "${PROJECT_BINARY_DIR}/debian/nabla.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/debian/nabla.pc" DESTINATION ${version_folder}
        COMPONENT alternatives EXCLUDE_FROM_ALL)
