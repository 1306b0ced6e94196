#include "views/common/support/rank_texts.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <unordered_map>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct RankTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::RankTexts)
};

constexpr qsizetype kMaxFolders = 8;

QString separator() { return RankTexts::tr(", ", "between parts of a list"); }

}  // namespace

QString rankNumbers(const std::vector<std::int64_t>& ranks, qsizetype most) {
    QStringList parts;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
        // Two neighbours are no range.
        if (last - i >= 2) {
            parts << u"%1-%2"_s.arg(ranks[i]).arg(ranks[last]);
            i = last + 1;
        } else {
            parts << QString::number(ranks[i++]);
        }
        if (parts.size() == most && i < ranks.size()) {
            parts << u"\u2026"_s;
            break;
        }
    }
    return parts.join(separator());
}

QString rankNames(const std::vector<const RankInfo*>& ranks, const std::vector<const RankInfo*>& all) {
    std::unordered_map<std::int64_t, int> recordings;
    for (const RankInfo* rank : all) {
        if (rank->rankId) ++recordings[*rank->rankId];
    }

    std::vector<std::int64_t> numbers;
    QStringList names;
    for (const RankInfo* rank : ranks) {
        if (!rank->rankId) {
            names << rankTitle(*rank);
        } else if (recordings[*rank->rankId] > 1) {
            names << RankTexts::tr("rank %1 in %2").arg(*rank->rankId).arg(toQString(rank->path));
        } else {
            numbers.push_back(*rank->rankId);
        }
    }
    if (names.size() > kMaxFolders) {
        const qsizetype more = names.size() - kMaxFolders;
        names.resize(kMaxFolders);
        names << RankTexts::tr("%n more", nullptr, static_cast<int>(more));
    }
    std::sort(numbers.begin(), numbers.end());
    if (numbers.size() == 1) names.prepend(RankTexts::tr("rank %1").arg(numbers.front()));
    if (numbers.size() > 1) names.prepend(RankTexts::tr("ranks %1").arg(rankNumbers(numbers)));
    return names.join(separator());
}

QString absentText(const AbsentRanks& absent) {
    if (absent.ranks.empty()) return {};
    const QString sentence = absent.ranks.size() == 1 ? RankTexts::tr("Not in this capture: rank %1 of %2.")
                                                      : RankTexts::tr("Not in this capture: ranks %1 of %2.");
    return sentence.arg(rankNumbers(absent.ranks), formatCount(absent.all));
}

std::optional<QString> whyMissing(const RankInfo& rank, std::string_view what) {
    const auto missing = std::find_if(rank.missing.begin(), rank.missing.end(),
                                      [&](const MissingData& data) { return data.what == what; });
    if (missing != rank.missing.end()) return missingText(*missing);
    if (rank.source == SourceKind::Cluster) return std::nullopt;
    if (rank.state == RankState::Raw) return RankTexts::tr("There is only raw data, which has to be analysed first.");
    if (rank.state == RankState::Listed) return RankTexts::tr("The files are not read.");
    return std::nullopt;
}

}  // namespace altiscope
