#pragma once

#include "core/session/session.h"
#include "views/common/theme/icons.h"

#include <QString>

#include <cstdint>
#include <string_view>

namespace altiscope {

// Words and numbers of the shell about a capture; pure functions of an OpenCapture. Texts are translated.
// O(ranks).

/// A capture in one line.
struct CaptureCounts {
    QString name;       ///< Name of its folder or file.
    QString stateWord;  ///< "reading", "complete", "partial", "stopped", "failed"
    QString stateIcon;  ///< For themedIcon().
    IconTone stateTone = IconTone::Muted;
    QString explanation;  ///< Names that were sought where opening failed, why ranks were excluded; else empty.
    std::uint64_t slices = 0;
    bool provisional = false;  ///< An import still runs or was stopped: `slices` are not all.
};
CaptureCounts summaryOf(const OpenCapture& capture);

/// Its title; the last part of its path where no session gave it one.
QString captureName(const OpenCapture& capture);

/// Path, framework, source, versions and counts of a rank, a line each: for tooltips.
QString rankFacts(const OpenCapture& capture, const RankEntry& rank);

/// "5", "5, 6, 7" or "10 – 57 (48)".
QString stepsText(const RankEntry& rank);

/// How a rank stands: its RankState; a picture that is not complete is "reading", or "partial" once reading has
/// stopped.
struct RankSummary {
    QString stateWord;
    QString stateIcon;  ///< For themedIcon().
    IconTone stateTone = IconTone::Muted;
};
RankSummary summaryOf(const OpenCapture& capture, const RankEntry& rank);
/// The same as a word of the program: rankStateName(), or "reading", "in_part", "cluster".
std::string_view rankStateOf(const OpenCapture& capture, const RankEntry& rank);
/// RankSummary::stateWord of it; what is unknown stays as it is.
QString rankStateWord(const QString& state);

/// "about 12 s, 1.4 GB of memory": what reading traces of so many bytes costs, if this share of their time is kept.
QString readingCost(std::uint64_t bytes, double share = 1);

}  // namespace altiscope
