#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"
#include "core/remote/remote_place.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::remote {

/// Work that needs the user's consent, with what the user has to know for it.
struct ConsentRequest {
    enum class Kind {
        RunProgram,  ///< A program that is there is run there, and makes a pack in the account's cache.
        PutProgram,  ///< The same by a program that is put there first.
        FetchFiles,  ///< The capture's files are copied to this machine; nothing is put or run there.
    } kind = Kind::RunProgram;
    std::string host;    ///< As the user named it.
    std::string source;  ///< The capture there, and its size.
    std::uint64_t bytes = 0, files = 0;
    std::string program;             ///< The program there, or the folder that it is put into.
    std::uint64_t programBytes = 0;  ///< The archive's, which travels; PutProgram alone.
    std::string packs;               ///< Folder there in which packs are made.
    unsigned cores = 0;              ///< That a pack takes there.
};

/// The request as sentences, in English, for a terminal and messages.
std::string consentText(const ConsentRequest& request);

/// One capture to be opened.
struct RemoteRequest {
    RemotePlace place;
    std::optional<std::vector<std::int64_t>> ranks{};  ///< By number in the job; nullopt: all.
    bool onlyFiles = false;                            ///< Nothing is put or run there.
    std::filesystem::path importCache{};               ///< Folder of the import cache, which FetchedCache lies beside.
    std::vector<std::filesystem::path> programFolders{};  ///< standardProgramFolders()
    capture::Askpass askpass{};
    /// Whether the user agrees. Called on the thread of openRemote(), which waits for it.
    std::function<bool(const ConsentRequest&)> agrees;
    /// Takes what happens, as a sentence for a person; may be empty. The same thread.
    std::function<void(const std::string&)> onMessage{};
    /// Once it says so cancelling leaves a pack that is being made to its host, which a later call takes up; polled on
    /// the same thread. May be empty.
    std::function<bool()> isLeft{};
};

/// Makes a capture on a host one that can be opened here, and leaves the capture as it is: its pack is made there in
/// the account's cache, unless it is there, and fetched, unless it is here. Where nothing can be run, or the user does
/// not want it, the files themselves are fetched. Whatever was agreed to holds for the host until `remote remove`.
///
/// A program that was put there is run only where all of it belongs to the account, and nobody else can change it; a
/// pack that is not whole is fetched anew.
///
/// A later call goes on with a pack that is being made there, and with files that were fetched in part. A line that
/// breaks is made anew twice.
///
/// @return The pack, or the folder or file, in FetchedCache. Cancelled within 100 ms, and up to ten seconds until a
///         pack that is being made there is ended, unless it is left. Error "remote.*" or "capture.*", each
///         with the name of the host.
/// @note   Blocks; any thread, one for each call. Progress counts bytes: of the archive that is put, of the capture as
///         it is read there, then of what is fetched.
Result<std::filesystem::path> openRemote(const RemoteRequest& request, ProgressSlot& progress,
                                         const CancelToken& cancel);

}  // namespace altiscope::remote
