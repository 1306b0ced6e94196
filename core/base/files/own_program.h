#pragma once

#include <filesystem>

namespace altiscope {

/// The program that starts this process once more, and whose folder other files of ours lie in: what the system says
/// that it runs (/proc/self/exe), but for a relocatable folder (packaging/tarball.sh). There that is the loader
/// FOLDER/lib/ld-*, and the program is the starter, FOLDER/altiscope-cli. Empty where /proc is missing.
std::filesystem::path ownProgram();

/// The same for a file that the system runs.
std::filesystem::path programOf(const std::filesystem::path& executable);

}  // namespace altiscope
