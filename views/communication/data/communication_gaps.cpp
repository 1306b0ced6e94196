#include "views/communication/data/communication_gaps.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/rank_texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <set>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct CommunicationGaps {
    Q_DECLARE_TR_FUNCTIONS(altiscope::CommunicationGaps)
};

constexpr qsizetype kMaxGroups = 3;

QString ranksText(const std::vector<const RankEntry*>& ranks, const CommunicationSource& source) {
    std::vector<const RankInfo*> named, all;
    for (const RankEntry* rank : ranks) named.push_back(&rank->info);
    for (const RankEntry& rank : source.capture->ranks) all.push_back(&rank.info);
    return rankNames(named, all);
}

/// Why a rank has no communication files.
QString reasonOf(const RankEntry& rank) {
    if (const auto known = whyMissing(rank.info, "communication")) return *known;
    if (rank.info.source == SourceKind::Cluster)
        return CommunicationGaps::tr("The results of the cluster analysis have no communication data of these ranks: "
                                     "open the folders of the ranks.");
    if (rank.trace == nullptr || rank.trace->sliceCount() == 0)
        return CommunicationGaps::tr("Neither communication.json nor communication_matrix.json nor analysis.db is "
                                     "among the files, nor a timeline that it could be computed from.");
    return CommunicationGaps::tr(
        "Neither communication.json nor communication_matrix.json nor analysis.db is among the files, and the timeline "
        "has no tasks of collectives; profiler_level Level1 records them, where there is more than one rank.");
}

void addSilentRanks(const CommunicationSource& source, QStringList& gaps) {
    std::vector<const RankEntry*> silent, times, transfers, links, unlinked;
    QStringList reasons, linkReasons;
    for (std::size_t r = 0; r < source.ranks.size(); ++r) {
        const RankEntry& rank = source.rank(r);
        if (source.computed[r] != nullptr)
            (source.computedTransfers[r] != nullptr ? transfers : times).push_back(&rank);
        const bool isRecorded = rank.rows != nullptr && rank.rows->find(RowKind::Link) != nullptr;
        if (source.computedLinks[r] != nullptr && !isRecorded) links.push_back(&rank);
        if (source.links(r) != nullptr) continue;
        if (source.collectives(r) == nullptr) {
            silent.push_back(&rank);
            reasons << reasonOf(rank);
        } else {
            unlinked.push_back(&rank);
            linkReasons << reasonOf(rank);
        }
    }
    reasons.removeDuplicates();
    linkReasons.removeDuplicates();
    if (!silent.empty())
        gaps << CommunicationGaps::tr("No communication data: %1. %2")
                    .arg(ranksText(silent, source), reasons.join(u' '));
    if (!transfers.empty())
        gaps << CommunicationGaps::tr(
                    "communication.json is missing; computed from the timeline: times, bandwidths and packets of %1.")
                    .arg(ranksText(transfers, source));
    if (!times.empty())
        gaps << CommunicationGaps::tr("communication.json is missing; computed from the timeline: times of %1. None of "
                                      "their tasks records an amount, so there are no bandwidths and packets.")
                    .arg(ranksText(times, source));
    if (!links.empty())
        gaps << CommunicationGaps::tr("communication_matrix.json is missing; computed from the timeline: links of %1.")
                    .arg(ranksText(links, source));
    if (!unlinked.empty())
        gaps << CommunicationGaps::tr("No links of %1: communication_matrix.json is missing, and no task in the "
                                      "timeline records an amount. %2")
                    .arg(ranksText(unlinked, source), linkReasons.join(u' '));
    if (source.unknownTasks > 0 && source.unknownTasks < source.movingTasks)
        gaps << CommunicationGaps::tr("%1 of %2 transfer tasks record neither amount nor destination: they are not in "
                                      "the computed values.")
                    .arg(formatCount(source.unknownTasks), formatCount(source.movingTasks));
    if (source.hasRemote)
        gaps << CommunicationGaps::tr("For RDMA only sizes are computed, not durations: the tasks that start a "
                                      "transfer do not record when it ends.");
}

/// Members of groups that have no folder, or none that is looked at.
void addAbsentRanks(const CommunicationSource& source, QStringList& gaps) {
    std::set<std::int64_t> present, members;
    for (const RankEntry& rank : source.capture->ranks) {
        if (rank.info.rankId) present.insert(*rank.info.rankId);
    }
    for (const CommunicationGroup& group : source.choices.groups) {
        if (group.ranksKnown) members.insert(group.ranks.begin(), group.ranks.end());
    }
    std::vector<std::int64_t> absent;
    std::set_difference(members.begin(), members.end(), present.begin(), present.end(), std::back_inserter(absent));
    if (absent.empty()) return;
    gaps << CommunicationGaps::tr("Not in this capture: ranks %1 of %2. What they sent and how long they waited is "
                                  "unknown; links to them come from the records of other ranks.")
                .arg(rankNumbers(absent), formatCount(members.size()));
}

/// Links are between numbers of ranks: recordings with the same number are added up.
void addRepeatedRanks(const CommunicationSource& source, QStringList& gaps) {
    std::map<std::int64_t, int> recordings;
    for (std::size_t r = 0; r < source.ranks.size(); ++r) {
        const RankEntry& rank = source.rank(r);
        if (rank.info.rankId && source.links(r) != nullptr) ++recordings[*rank.info.rankId];
    }
    std::vector<std::int64_t> repeated;
    for (const auto& [number, count] : recordings) {
        if (count > 1) repeated.push_back(number);
    }
    if (repeated.empty()) return;
    gaps << CommunicationGaps::tr("Several recordings of the same ranks (%1): the matrix and the links add them up.")
                .arg(rankNumbers(repeated));
}

void addUnknownGroups(const CommunicationSource& source, QStringList& gaps) {
    const auto unknown = std::count_if(source.choices.groups.begin(), source.choices.groups.end(),
                                       [](const CommunicationGroup& group) { return !group.ranksKnown; });
    if (unknown == 0) return;
    gaps << CommunicationGaps::tr("The ranks of %n group(s) were not recorded (parallel_group_info in "
                                  "profiler_metadata.json): groups are named by "
                                  "the ranks that have files, and [2] is an index whose rank is unknown.",
                                  nullptr, static_cast<int>(unknown));
}

void addUnequalCounts(const CommunicationSource& source, QStringList& gaps) {
    QStringList parts;
    for (const UnequalGroup& unequal : source.unequal) {
        const auto& groups = source.choices.groups;
        const auto known = std::find_if(groups.begin(), groups.end(),
                                        [&](const CommunicationGroup& group) { return group.name == unequal.group; });
        const QString title = known == groups.end() ? toQString(unequal.group) : groupTitle(*known);
        parts << CommunicationGaps::tr("%1 (rank %2: %3, rank %4: %5)")
                     .arg(title)
                     .arg(unequal.minRank)
                     .arg(unequal.min)
                     .arg(unequal.maxRank)
                     .arg(unequal.max);
        if (parts.size() == kMaxGroups) break;
    }
    if (parts.isEmpty()) return;
    const auto more = static_cast<int>(source.unequal.size()) - static_cast<int>(parts.size());
    if (more > 0) parts << CommunicationGaps::tr("%n more", nullptr, more);
    gaps << CommunicationGaps::tr("Ranks of one group recorded different numbers of collectives: %1. Sums of these "
                                  "ranks are not of the same work.")
                .arg(parts.join(u"; "_s));
}

/// Ranks of a database take their rows from analysis.db, others from the JSON file; where that one is missing, from the
/// other.
QString stepListOf(SourceKind source, const QString& json) {
    const QString database = u"analysis.db"_s;
    if (source == SourceKind::Cluster) return CommunicationGaps::tr("the results of the cluster analysis");
    const auto either = [](const QString& first, const QString& second) {
        return CommunicationGaps::tr("%1 (or %2 in its place)").arg(first, second);
    };
    return source == SourceKind::Db ? either(database, json) : either(json, database);
}

void addMissingSteps(const CommunicationSource& source, QStringList& gaps) {
    const auto add = [&](RowKind kind, const QString& json, SourceKind from) {
        QStringList parts;
        int more = 0;
        for (const MissingStep& missing : source.missingSteps) {
            if (missing.kind != kind) continue;
            std::vector<const RankEntry*> ranks;
            for (const std::size_t place : missing.ranks) {
                if (source.rank(place).info.source == from) ranks.push_back(&source.rank(place));
            }
            if (ranks.empty()) continue;
            if (parts.size() == kMaxGroups) {
                ++more;
                continue;
            }
            parts << CommunicationGaps::tr("step %1 of %2").arg(missing.step).arg(ranksText(ranks, source));
        }
        if (parts.isEmpty()) return;
        if (more > 0) parts << CommunicationGaps::tr("%n more", nullptr, more);
        gaps << CommunicationGaps::tr("Not in %1: %2. Either nothing was sent in it, or the file lacks it.")
                    .arg(stepListOf(from, json), parts.join(u"; "_s));
    };
    for (const SourceKind from : {SourceKind::Text, SourceKind::Db, SourceKind::Raw, SourceKind::Cluster}) {
        add(RowKind::Collective, u"communication.json"_s, from);
        add(RowKind::Link, u"communication_matrix.json"_s, from);
    }
}

}  // namespace

QStringList communicationGaps(const CommunicationSource& source) {
    QStringList gaps;
    addSilentRanks(source, gaps);
    addAbsentRanks(source, gaps);
    addRepeatedRanks(source, gaps);
    addUnknownGroups(source, gaps);
    addUnequalCounts(source, gaps);
    addMissingSteps(source, gaps);
    const auto isComputed = [](const auto& rows) { return rows != nullptr; };
    if (source.context.range && std::any_of(source.computedLinks.begin(), source.computedLinks.end(), isComputed))
        gaps << CommunicationGaps::tr("Links, bandwidths and packets within the marked time are computed from the "
                                      "timeline: files have sums of whole steps only.");
    return gaps;
}

QString markedScope(const CommunicationSource& source, const std::vector<std::size_t>& whole) {
    if (!source.context.range) return {};
    const QString marked =
        CommunicationGaps::tr("in the marked %1").arg(formatDuration(source.context.range->length()));
    if (whole.empty()) return marked;
    std::vector<const RankEntry*> ranks;
    for (const std::size_t place : whole) ranks.push_back(&source.rank(place));
    const QString why =
        CommunicationGaps::tr("of whole steps: %1, whose files record no times, and whose timeline records no amounts")
            .arg(ranksText(ranks, source));
    return whole.size() == source.ranks.size() ? why : marked + u"; "_s + why;
}

QString groupTitle(const CommunicationGroup& group) {
    constexpr qsizetype kMaxParts = 6;
    const QString ranks = group.ranks.empty() ? toQString(group.name) : rankNumbers(group.ranks, kMaxParts);
    if (group.name.empty()) return CommunicationGaps::tr("no group recorded");
    if (!group.parallelType.empty()) return u"%1: %2"_s.arg(toQString(group.parallelType), ranks);
    if (group.ranksKnown) return CommunicationGaps::tr("ranks %1").arg(ranks);
    return group.ranks.empty() ? ranks : CommunicationGaps::tr("with ranks %1").arg(ranks);
}

QString groupTip(const CommunicationGroup& group) {
    QStringList lines{toQString(group.name)};
    if (!group.hash.empty() && group.hash != group.name) lines << toQString(group.hash);
    if (!group.ranksKnown)
        lines << CommunicationGaps::tr(
            "No file names the ranks of this group: these are those that recorded something of it.");
    return lines.join(u'\n');
}

}  // namespace altiscope
