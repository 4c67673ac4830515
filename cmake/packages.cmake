# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debian packages: nabla-N of each version of LLVM, whose programs are chosen by
# update-alternatives, and libnabla-dev, which they share. tools/package.sh makes them, with the same
# bytes each time.
set(package nabla-${LLVM_VERSION_MAJOR})
set(NABLA_PROGRAMS_FOLDER /usr/${version_folder}/bin)
set(NABLA_SLAVES)
foreach(name ${programs} nabla-rulec)
  if(NOT name STREQUAL "nabla")
    string(APPEND NABLA_SLAVES
           " --slave /usr/bin/${name} ${name} ${NABLA_PROGRAMS_FOLDER}/${name}")
  endif()
endforeach()
string(APPEND NABLA_SLAVES " --slave /usr/lib/pkgconfig/nabla.pc nabla.pc "
       "/usr/${version_folder}/nabla.pc")
foreach(script postinst prerm)
  configure_file(cmake/debian/${script}.in "${PROJECT_BINARY_DIR}/debian/${script}" @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                  WORLD_READ WORLD_EXECUTE)
endforeach()
configure_file(cmake/debian/copyright.in "${PROJECT_BINARY_DIR}/debian/copyright" @ONLY)
foreach(owner plugin dev)
  set(folder ${package})
  if(owner STREQUAL "dev")
    set(folder libnabla-dev)
  endif()
  install(FILES "${PROJECT_BINARY_DIR}/debian/copyright" DESTINATION share/doc/${folder}
          COMPONENT ${owner}-copyright EXCLUDE_FROM_ALL)
endforeach()
# The zsh of Debian does not look into site-functions of /usr.
install(FILES completions/_nabla DESTINATION share/zsh/vendor-completions
        COMPONENT dev-completion EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nabla)
set(CPACK_PACKAGE_VENDOR "the nabla project")
set(CPACK_PACKAGE_CONTACT "the nabla project <nabla@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES OFF)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)

set(CPACK_DEBIAN_VERSION_PACKAGE_NAME ${package})
set(CPACK_DEBIAN_VERSION_PACKAGE_DEPENDS
    "libnabla-dev (= ${PROJECT_VERSION}), clang-${LLVM_VERSION_MAJOR}, libc6 (>= 2.34)")
set(CPACK_DEBIAN_VERSION_PACKAGE_RECOMMENDS
    "lld-${LLVM_VERSION_MAJOR}, llvm-${LLVM_VERSION_MAJOR}")
set(CPACK_DEBIAN_VERSION_PACKAGE_SUGGESTS "flang-${LLVM_VERSION_MAJOR}")
set(CPACK_DEBIAN_VERSION_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/postinst"
                                               "${PROJECT_BINARY_DIR}/debian/prerm")
set(CPACK_DEBIAN_SHARED_PACKAGE_NAME libnabla-dev)
set(CPACK_DEBIAN_SHARED_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SHARED_PACKAGE_SUGGESTS "nabla-22 | nabla-19, python3-numpy")
set(CPACK_DEBIAN_VERSION_DESCRIPTION
    "derivatives of functions, for clang ${LLVM_VERSION_MAJOR}
A plugin for LLVM ${LLVM_VERSION_MAJOR} that adds functions which compute derivatives, in forward
and in reverse mode, and the programs nabla, nabla-cc, nabla-c++ and nabla-fc.")
set(CPACK_DEBIAN_SHARED_DESCRIPTION
    "derivatives of functions, what all versions of LLVM share
Headers for C and C++, rules, files for CMake, manual pages, and a package for Python.")

set(CPACK_COMPONENTS_ALL plugin alternatives plugin-copyright dev dev-copyright
    dev-completion)
include(CPack)
cpack_add_component_group(VERSION)
cpack_add_component_group(SHARED)
cpack_add_component(plugin GROUP VERSION)
cpack_add_component(alternatives GROUP VERSION)
cpack_add_component(plugin-copyright GROUP VERSION)
cpack_add_component(dev GROUP SHARED)
cpack_add_component(dev-copyright GROUP SHARED)
cpack_add_component(dev-completion GROUP SHARED)
