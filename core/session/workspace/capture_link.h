#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>

namespace altiscope {

/// A place in a capture as text that can be sent to somebody: altiscope:IDENTITY/rank/R/slice/S or
/// altiscope:IDENTITY/rank/R/range/A-B, without rank/R where the rank has no number; altiscope:IDENTITY is the capture
/// as a whole.
struct CaptureLink {
    std::string identity;              ///< See identifyCapture().
    std::optional<std::int64_t> rank;  ///< Its number in the job.
    std::optional<SliceId> slice;
    std::optional<TimeRange> range;  ///< On the clock of that rank's trace, in ns.

    bool operator==(const CaptureLink&) const = default;
};

/// The link as text, in the form above. Never fails.
QString linkText(const CaptureLink& link);

/// Spaces around it do not matter; "altiscope://" as some programs write it is taken too.
/// @return nullopt if it is no link: of another shape, longer than 200 letters, or with numbers that no place has.
std::optional<CaptureLink> linkFromText(const QString& text);

/// Whether somebody means a link, well or not.
bool looksLikeLink(const QString& text);

}  // namespace altiscope
