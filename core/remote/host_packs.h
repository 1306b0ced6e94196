#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"
#include "core/remote/counted_part.h"
#include "core/remote/host_look.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::remote {

/// A pack that a host is to have in its cache: CACHE/packs/KEY/NAME.
struct HostPack {
    std::string key;      ///< sourceKey()
    std::string name;     ///< The file's: the capture's, ".altipack" behind.
    std::string ranks;    ///< As `--ranks` takes them; empty: all.
    std::string program;  ///< altiscope-cli there.
    unsigned jobs = 1;    ///< Threads.

    std::string folder(const HostLook& look) const { return look.cacheFolder + "/packs/" + key; }
};

/// Half of a host's cores, at least one: what a pack takes there, at the lowest priority.
unsigned packJobs(const HostLook& look);

/// Size of a pack that is there already; nullopt: it is not. Says there that it was used.
Result<std::optional<std::uint64_t>> findPack(const capture::RemoteShell& shell, const HostLook& look,
                                              const HostPack& pack);

/// Makes a pack on the host, and waits for it. It lives on there if the connection ends, and a later call waits for the
/// one that is being made, also on another node that has the same home; cancelling ends it. Progress counts bytes of
/// the capture that were read there.
///
/// @param isLeft  Once it says so cancelling leaves the pack to the host, and waits for nothing; polled as CancelCheck.
///                May be empty.
/// @return Its size. Error "remote.pack_failed" {reason}: the last line that the program there wrote, or what the
///         system said (no space, quota, rights); Cancelled.
Result<std::uint64_t> makePack(capture::RemoteShell& shell, const HostLook& look, const HostPack& pack,
                               CountedPart& progress, const capture::CancelCheck& isLeft = {});

/// A part of the cache of a host that was put there by us.
struct HostEntry {
    std::string kind;     ///< "program" or "pack".
    std::string name;     ///< Folder below "bin" or "packs"; as the host says it, of letters, digits, "-", "_" and ".".
    std::string content;  ///< Names of packs in it; as the host says it.
    std::uint64_t bytes = 0;
    std::int64_t lastUse = 0;  ///< Seconds since 1970, by the host's clock.
};

struct HostCache {
    std::string folder;              ///< Absolute.
    std::vector<HostEntry> entries;  ///< The one that was used last first.
};

/// Looks at what was put on a host. Nothing is changed.
Result<HostCache> listHostCache(const capture::RemoteShell& shell);

/// Removes entries, also packs that are being made; and the folders "bin" and "packs" once they are empty.
/// @return How many are gone.
Result<std::uint64_t> removeFromHost(const capture::RemoteShell& shell, const HostCache& cache,
                                     const std::vector<HostEntry>& entries);

/// Entries that have to go so that those that stay are within the limit: the least recently used first, never `kept`,
/// nor a program.
std::vector<HostEntry> entriesBeyond(const HostCache& cache, std::uint64_t limit, const std::string& kept);

}  // namespace altiscope::remote
