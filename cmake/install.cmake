# What is installed: the tool, both libraries, header, pkg-config and CMake packages, scenes, manual pages, completions.
# Nothing in it knows where it lies: the folder may be moved.

# The static library as one object whose inner names are hidden.
set(STATIC_LIBRARY $<TARGET_FILE:libmeniscus>)
if(CMAKE_OBJCOPY AND CMAKE_LINKER AND NOT MN_SANITIZE AND NOT MN_FUZZ)
    set(SEALED ${CMAKE_BINARY_DIR}/sealed)
    file(MAKE_DIRECTORY ${SEALED})
    add_custom_command(
        OUTPUT ${SEALED}/libmeniscus.a
        COMMAND ${CMAKE_LINKER} -r -o ${SEALED}/meniscus.o --whole-archive $<TARGET_FILE:libmeniscus>
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${SEALED}/meniscus.o
        COMMAND ${CMAKE_COMMAND} -E rm -f ${SEALED}/libmeniscus.a
        COMMAND ${CMAKE_AR} rcs ${SEALED}/libmeniscus.a ${SEALED}/meniscus.o
        DEPENDS libmeniscus
        VERBATIM)
    add_custom_target(sealed ALL DEPENDS ${SEALED}/libmeniscus.a)
    set(STATIC_LIBRARY ${SEALED}/libmeniscus.a)
endif()

set(MN_REQUIRES "yaml-0.1 hdf5-serial libpng zlib ode")
set(MN_LIBS "-fopenmp -lm")
if(OPENCL_FOUND)
    string(APPEND MN_REQUIRES " OpenCL")
endif()
if(EMBREE_INCLUDE AND EMBREE_LIBRARY)
    string(PREPEND MN_LIBS "-lembree3 ")
endif()
# From the folders of the two packages up to the prefix.
file(RELATIVE_PATH MN_UP_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
file(RELATIVE_PATH MN_UP_FROM_CMAKE /prefix/${CMAKE_INSTALL_LIBDIR}/cmake/meniscus /prefix)
string(REGEX REPLACE "/$" "" MN_UP_FROM_PC ${MN_UP_FROM_PC})
string(REGEX REPLACE "/$" "" MN_UP_FROM_CMAKE ${MN_UP_FROM_CMAKE})
set(MN_REQUIRES_NAME Requires.private)
if(NOT TARGET libmeniscus_shared) # the static one needs them all
    set(MN_REQUIRES_NAME Requires)
    set(MN_LIBS_PUBLIC " ${MN_LIBS}")
endif()
configure_file(cmake/meniscus.pc.in ${CMAKE_BINARY_DIR}/meniscus.pc @ONLY)
configure_file(cmake/meniscusConfig.cmake.in ${CMAKE_BINARY_DIR}/meniscusConfig.cmake @ONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/meniscusConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS meniscus RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${STATIC_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET libmeniscus_shared)
    install(TARGETS libmeniscus_shared EXPORT meniscusTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT meniscusTargets NAMESPACE meniscus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/meniscus)
endif()
install(FILES ${CMAKE_BINARY_DIR}/meniscusConfig.cmake ${CMAKE_BINARY_DIR}/meniscusConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/meniscus)
install(FILES ${CMAKE_BINARY_DIR}/meniscus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY include/meniscus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/meniscus)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/meniscus)
install(FILES docs/meniscus.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/meniscus.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES ${COMPLETION}/meniscus DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${COMPLETION}/_meniscus DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${COMPLETION}/meniscus.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Packages: make package, or cpack in the build folder, once what is installed was built; the tests are not.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_PACKAGE_NAME meniscus)
set(CPACK_PACKAGE_VENDOR "The Meniscus authors")
set(CPACK_PACKAGE_CONTACT "The Meniscus authors <noreply@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "Simulates liquids with smoothed particles: surface tension, wetting, drag, surfactants")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_GENERATOR DEB TGZ)
include(CPack)
