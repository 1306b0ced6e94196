#pragma once

#include "app/cli/command_context.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::remote {
struct ConsentRequest;
}

namespace altiscope::cli {

/// How a command takes captures on hosts behind ssh, named as HOST:PATH or ssh://.
enum class RemoteUse {
    None,      ///< Its words are no captures.
    Captures,  ///< Captures, of all ranks.
    ByRank,    ///< Captures; an option --ranks chooses what is made on the host, and means nothing to the command.
    OwnRanks,  ///< The same, and the option means something to the command too.
    RawFiles,  ///< Raw data, of which the files themselves are fetched.
};

/// Makes captures on hosts ones that can be opened here: each word of a command that names one is replaced by the place
/// of its pack or files. Also the value of --base.
///
/// @param words  After the command; an option --ranks is taken out for RemoteUse::ByRank, where a host is named.
/// @return kOk; else what the program ends with, reported.
int fetchRemoteWords(std::string_view command, RemoteUse use, std::vector<std::string>& words,
                     const CommandContext& context);

/// Agrees as the user says on the command line (--yes), or on the terminal. Says what is agreed to in any case.
std::function<bool(const remote::ConsentRequest&)> consentOnTerminal(const CommandContext& context);

}  // namespace altiscope::cli
