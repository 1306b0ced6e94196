#pragma once

#include "core/trace/rank.h"

#include <QString>

#include <map>

namespace altiscope {

/// Corrections of the user in captures, kept from one run of the program to the next: a JSON file of the user's, or
/// nothing but memory. Captures are known by their absolute paths. GUI thread.
class CorrectionsFile {
public:
    /// @param file  Read when something is needed, and written with each change; empty: kept in memory only. One that
    ///              cannot be read holds nothing.
    explicit CorrectionsFile(QString file);

    RankCorrections of(const QString& capture) const;
    /// An empty correction takes back what was said. @return False if the file cannot be written; the change holds
    /// until the program ends.
    bool set(const QString& capture, const std::string& rank, const RankCorrection& correction);

private:
    QString m_file;
    std::map<QString, RankCorrections> m_corrections;  ///< In this run.
};

}  // namespace altiscope
