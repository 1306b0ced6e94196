#pragma once

#include "core/base/text/diagnostics.h"
#include "core/trace/rank.h"

#include <QString>

#include <string_view>

namespace altiscope {

// Words for people on what a capture may hold. Translated; call again on QEvent::LanguageChange.

/// The kind of data that RankInfo::present and MissingData::what name: "memory" -> "Memory". An unknown word stays as
/// it is.
QString dataTitle(std::string_view what);

/// Why a kind of data is missing and which switch would have recorded it: the catalogue's sentence for
/// "missing.<what>".
QString missingText(const MissingData& missing);

/// Whether it describes a source of events that is there and cannot be read: raw data, or a database.
bool isUnreadSource(const Diagnostic& diagnostic);

QString rankStateTitle(RankState state);  ///< "Complete", "Partial", "Raw data", "Not read"
QString rankStateIcon(RankState state);   ///< Name for themedIcon().
QString frameworkTitle(Framework framework);
QString sourceTitle(SourceKind source);

/// Its alias; without one the recorded title.
QString rankTitle(const RankInfo& rank);
/// "Rank 3", or the name of its folder where no source states the rank; with RankInfo::place where others of the
/// capture are called the same.
QString recordedRankTitle(const RankInfo& rank);
/// The same where "rank" stands beside it: "3".
QString rankAxisText(const RankInfo& rank);
/// "NPU 3"; empty if unknown.
QString deviceTitle(const RankInfo& rank);

}  // namespace altiscope
