#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"
#include "core/remote/counted_part.h"
#include "core/remote/host_look.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::remote {

/// The text of `altiscope-cli remote formats`: versions of packs and of what they hold that this program writes and
/// reads, one line.
std::string formatsLine();

/// Name of the folder below "bin" of a program for a machine whose packs this one reads: "pack1-store25-amd64".
std::string programFolderName(const std::string& machine);

/// The archive of packaging/tarball.sh that can be put on a host.
struct ProgramArchive {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
};

/// Folders in which archives are looked for: $ALTISCOPE_PROGRAMS alone if it is set; else the one of this program,
/// "../lib/altiscope" beside it, $XDG_DATA_HOME/altiscope (~/.local/share/altiscope).
std::vector<std::filesystem::path> standardProgramFolders();

/// The first "altiscope-cli-MACHINE.tar.gz" of the folders.
std::optional<ProgramArchive> findProgramArchive(const std::vector<std::filesystem::path>& folders,
                                                 const std::string& machine);

/// Where the program lies on a host that putProgram() puts there.
std::string ownProgramThere(const HostLook& look);

/// Whether it is there, and all of it belongs to the account, with nobody else who can change it. Nothing is run.
Result<bool> isOwnProgram(const capture::RemoteShell& shell, const HostLook& look);

/// Whether a program on a host runs there and makes packs that this one reads. Runs it.
/// @return Error only where the host cannot be reached, or what it says has no end.
Result<bool> isFittingProgram(const capture::RemoteShell& shell, const std::string& program);

/// Puts an archive's program into the folder of programs of a host, through the shell: what was sent stays if the line
/// is cut, and a later call goes on with it; the whole is compared by its checksum, unpacked beside, tried, and gets
/// its name then. Several clients may do so at the same time: each goes on with what is there. Progress counts bytes of
/// the archive.
///
/// @return The program there. Error "remote.not_put" {reason}; "remote.no_execution" {reason} if nothing can be run
///         there, or "remote.other_version" if it makes other packs: nothing is left then. Also errors of the shell.
Result<std::string> putProgram(const capture::RemoteShell& shell, const HostLook& look, const ProgramArchive& archive,
                               CountedPart& progress);

}  // namespace altiscope::remote
