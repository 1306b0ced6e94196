#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/target.h"

#include <optional>
#include <string>
#include <string_view>

namespace altiscope::remote {

/// A capture on a host behind ssh.
struct RemotePlace {
    std::string text;        ///< As the user wrote it.
    capture::Target target;  ///< Never this machine, nor a container.
    std::string path;        ///< As the user wrote it: absolute, or below the account's home ("~/" in front or not).
};

/// Reads "[user@]host:path" as scp does (an IPv6 address in brackets; a colon behind the first '/' is part of a name),
/// and "ssh://[user@]host[:port]/path", whose path is absolute ("/~/" in front: below the home), with "%20" and the
/// like.
///
/// @return nullopt for what names no host, and so may only be a file here; Error "remote.bad_address" for an ssh://
///         that cannot be one, and a path that is empty or has a zero byte.
Result<std::optional<RemotePlace>> parseRemotePlace(std::string_view text);

/// The same, but a file or folder here that has this name comes first.
Result<std::optional<RemotePlace>> remotePlaceOf(const std::string& text);

}  // namespace altiscope::remote
