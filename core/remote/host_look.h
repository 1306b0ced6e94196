#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"
#include "core/remote/remote_place.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::remote {

struct HostFile {
    std::string name;  ///< Below the folder; of a single file its own.
    std::uint64_t size = 0;
    std::string time;  ///< Its last change, as the host writes it; only to be compared.
};

/// A capture as it lies on a host, and the host, as far as one look shows them.
struct HostLook {
    std::string path;  ///< Absolute, without links.
    bool isFolder = false;
    std::vector<HostFile> files;  ///< By name. Links are left out: no import follows them.
    std::uint64_t bytes = 0;      ///< All files together.
    std::string unread;           ///< Why some of the capture is not in `files`: what `find` said last.
    std::string machine;          ///< In Debian's words: "amd64", "arm64"; else as `uname -m` says.
    unsigned cores = 1;
    std::string cacheFolder;    ///< $XDG_CACHE_HOME/altiscope of the account, else ~/.cache/altiscope.
    bool hasPacks = false;      ///< Its folder "packs" is there: somebody agreed to packs on this host before.
    std::string systemProgram;  ///< altiscope-cli in the PATH, whatever its version; empty: none.

    /// The name of the capture: the last part of its path.
    std::string name() const;
};

/// Looks at a capture on a host: a script of the shell's own commands and `find`. Nothing is changed, or run but these.
///
/// @return Error "remote.missing", "remote.unreadable", "remote.no_listing" (no GNU find), "remote.odd_reply" (names
///         that lead elsewhere, among others), "remote.too_many", "remote.empty", "capture.ssh.*", "capture.remote.*".
Result<HostLook> lookAtHost(const capture::RemoteShell& shell, const RemotePlace& place);

/// Identity of a capture's content on a host, as far as names, sizes and times tell, with what is made of it: 32
/// hexadecimal digits.
/// @param made  Words that tell apart what is made of it.
std::string sourceKey(const HostLook& look, const std::vector<std::string>& made);

/// Digits of sourceKey().
inline constexpr std::size_t kKeyDigits = 32;
bool isSourceKey(std::string_view text);

}  // namespace altiscope::remote
