#pragma once

#include <QString>

#include <map>
#include <string>
#include <vector>

namespace altiscope {

/// Names that the user gave, for people alone: files, tables and queries keep what was recorded. Empty ones are none.
struct CaptureNames {
    QString alias;                                   ///< Name of the capture.
    std::map<std::string, std::string> rankAliases;  ///< By RankInfo::path.
    QString group;                                   ///< Name of captures that are kept together.

    bool operator==(const CaptureNames&) const = default;
};

/// The longest one, in letters; longer ones are cut.
inline constexpr qsizetype kMaxCaptureName = 200;
/// As it is kept: one line of at most kMaxCaptureName letters.
QString captureNameOf(const QString& written);

/// Names of captures for people, as the paths: the last part of each, and where several end the same, with as many of
/// the folders above as tell them apart: "run" and "run", of a/x/run and a/y/run, become "run · x" and "run · y".
/// Absolute paths, '/' as separator. Pure; O(paths * parts of equal ones).
std::vector<QString> displayNames(const std::vector<QString>& paths);

}  // namespace altiscope
