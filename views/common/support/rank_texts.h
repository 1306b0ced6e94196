#pragma once

#include "core/analysis/communication/absent_ranks.h"
#include "core/trace/rank.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

// Ranks in sentences, and why they lack something. Translated; call again on QEvent::LanguageChange. Any thread.

/// "0, 1, 4-7, ...": numbers with neighbours joined, at most `most` parts. They are sorted.
QString rankNumbers(const std::vector<std::int64_t>& ranks, qsizetype most = 8);

/// "rank 3", "ranks 0-7, 9": inside a sentence. With the folder where several of the capture have one number, and the
/// folder alone where no source states the number.
/// @param all  Those of the capture.
QString rankNames(const std::vector<const RankInfo*>& ranks, const std::vector<const RankInfo*>& all);

/// "Not in this capture: ranks 1, 3 of 4."; empty if none is absent.
QString absentText(const AbsentRanks& absent);

/// Why nothing of a kind is there (a word as in MissingData::what), as far as the rank itself states: the switch that
/// would have recorded it, or that its files are not analysed or not read. nullopt: the rank was read, and it is a
/// matter of its files.
std::optional<QString> whyMissing(const RankInfo& rank, std::string_view what);

}  // namespace altiscope
