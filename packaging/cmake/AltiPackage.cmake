# What `cmake --install` puts where, and the Debian package (packaging/deb.sh, which makes the man pages first).
include(GNUInstallDirs)

function(alti_install_completion program)
  set(folder ${PROJECT_SOURCE_DIR}/packaging/completion)
  install(FILES ${folder}/${program}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program})
  install(FILES ${folder}/${program}.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _${program})
endfunction()

install(TARGETS altiscope-cli RUNTIME)
alti_install_completion(altiscope-cli)
install(DIRECTORY ${PROJECT_BINARY_DIR}/package/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        FILES_MATCHING PATTERN "*.1.gz" PATTERN manual EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/package/changelog.gz ${PROJECT_SOURCE_DIR}/packaging/desktop/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY ${PROJECT_BINARY_DIR}/package/ DESTINATION lib/altiscope FILES_MATCHING PATTERN "*.tar.gz" PATTERN manual EXCLUDE)
install(DIRECTORY ${PROJECT_BINARY_DIR}/package/manual DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
if(ALTI_GUI)
  install(TARGETS altiscope RUNTIME)
  alti_install_completion(altiscope)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/desktop/altiscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/desktop/altiscope.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/altiscope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

set(CPACK_PACKAGE_NAME altiscope)
set(CPACK_PACKAGE_VENDOR "Altiscope developers")
set(CPACK_PACKAGE_CONTACT "Altiscope developers <developers@altiscope.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "viewer and analyser for profiling data of Ascend NPUs")
set(CPACK_PACKAGE_DESCRIPTION "Opens profiling folders of torch_npu, MindSpore and msprof
 as they are: timeline, memory, operators, communication and findings in a
 window, SQL, reports and exports on the command line.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Chinese names and texts need a font that has them.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-noto-cjk, openssh-client")
include(CPack)
