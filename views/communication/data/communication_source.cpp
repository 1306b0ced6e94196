#include "views/communication/data/communication_source.h"

#include "core/base/threads/parallel.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace altiscope {

namespace {

/// Collectives of each group in one rank's rows, by id of its name.
std::vector<std::size_t> countsByGroup(const RowTables& rows) {
    constexpr RowKind K = RowKind::Collective;
    const RowTable& table = *rows.find(K);
    const auto pairwise = rows.texts().find("p2p");
    std::vector<std::size_t> counts(rows.texts().size());
    for (std::size_t row = 0; row < table.size(); ++row) {
        const auto group = table.text(fixedColumn(K, "group_name"), row);
        if (group && (!pairwise || table.text(fixedColumn(K, "kind"), row) != pairwise)) ++counts[group->value];
    }
    return counts;
}

std::vector<UnequalGroup> unequalGroups(const CommunicationSource& source) {
    std::map<std::string, UnequalGroup> groups;
    for (std::size_t r = 0; r < source.ranks.size(); ++r) {
        const RowTables* rows = source.collectives(r);
        const auto rank = source.rank(r).info.rankId;
        if (rows == nullptr || !rank) continue;
        const std::vector<std::size_t> counts = countsByGroup(*rows);
        for (std::uint32_t id = 0; id < counts.size(); ++id) {
            if (counts[id] == 0) continue;
            const std::string name(rows->text({id}));
            const auto [known, isNew] =
                groups.try_emplace(name, UnequalGroup{name, counts[id], counts[id], *rank, *rank});
            UnequalGroup& group = known->second;
            if (counts[id] < group.min) {
                group.min = counts[id];
                group.minRank = *rank;
            }
            if (counts[id] > group.max) {
                group.max = counts[id];
                group.maxRank = *rank;
            }
        }
    }
    std::vector<UnequalGroup> unequal;
    for (auto& [name, group] : groups) {
        if (group.min != group.max) unequal.push_back(std::move(group));
    }
    return unequal;
}

std::set<std::int64_t> stepsOf(const RowTables* rows, RowKind kind) {
    std::set<std::int64_t> steps;
    const RowTable* table = rows == nullptr ? nullptr : rows->find(kind);
    std::optional<std::int64_t> last;
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto step = table->integer(rowColumn(kind, "step"), row);
        // Neighbours are of one step nearly always.
        if (step && step != last) steps.insert(*step);
        last = step;
    }
    return steps;
}

std::vector<MissingStep> missingSteps(const CommunicationSource& source) {
    constexpr std::array<RowKind, 2> kKinds = {RowKind::Collective, RowKind::Link};
    std::array<std::vector<std::set<std::int64_t>>, 2> listed;
    for (auto& ranks : listed) ranks.resize(source.ranks.size());
    parallelFor(source.ranks.size(), [&](std::size_t r) {
        for (std::size_t k = 0; k < kKinds.size(); ++k) listed[k][r] = stepsOf(source.rank(r).rows.get(), kKinds[k]);
    });
    std::set<std::int64_t> wanted;
    for (const auto& ranks : listed) {
        for (const std::set<std::int64_t>& steps : ranks) wanted.insert(steps.begin(), steps.end());
    }
    std::vector<MissingStep> missing;
    for (std::size_t k = 0; k < kKinds.size(); ++k) {
        const RowKind kind = kKinds[k];
        std::map<std::int64_t, std::vector<std::size_t>> lacking;
        for (std::size_t r = 0; r < source.ranks.size(); ++r) {
            if (listed[k][r].empty()) continue;
            std::set<std::int64_t> own = wanted;
            for (const Step& step : source.rank(r).steps) own.insert(step.number);
            const ContextFilter context = source.context.onClockOf(source.ranks[r]);
            for (const std::int64_t step : own) {
                if (listed[k][r].count(step) == 0 && context.holds(source.rank(r), step)) lacking[step].push_back(r);
            }
        }
        for (auto& [step, ranks] : lacking) missing.push_back({kind, step, std::move(ranks)});
    }
    return missing;
}

bool hasRowsOf(const RowTables* rows, RowKind kind) { return rows != nullptr && rows->find(kind) != nullptr; }

}  // namespace

const RowTables* CommunicationSource::collectives(std::size_t place) const {
    const RowTables* recorded = rank(place).rows.get();
    if (hasRowsOf(recorded, RowKind::Collective)) return recorded;
    const RowTables* own = computed[place].get();
    return hasRowsOf(own, RowKind::Collective) ? own : nullptr;
}

const RowTables* CommunicationSource::links(std::size_t place) const {
    const RowTables* recorded = rank(place).rows.get();
    return computedLinks[place] != nullptr || !hasRowsOf(recorded, RowKind::Link) ? computedLinks[place].get()
                                                                                  : recorded;
}

namespace {

/// Notes on a rank's computed transfers, beside the rows.
struct TransferTally {
    std::uint64_t moving = 0, unknown = 0;
    bool hasRemote = false, hasWholeLinks = false, hasWholeTransfers = false, isDone = false;
};

/// Computes what a rank lacks where its files state nothing, or where a part of them is wanted.
TransferTally computeMissing(CommunicationSource& source, std::size_t r, const CaptureAnalysis& analysis,
                             const CancelToken& cancel) {
    const RowTables* rows = source.rank(r).rows.get();
    const bool lacksTimes = !hasRowsOf(rows, RowKind::Collective), lacksLinks = !hasRowsOf(rows, RowKind::Link),
               lacksTransfers = !hasRowsOf(rows, RowKind::Bandwidth) && !hasRowsOf(rows, RowKind::Packet);
    if (lacksTimes) {
        const auto known = analysis.rank(source.ranks[r], cancel);
        if (known != nullptr && hasRowsOf(known->rows.get(), RowKind::Collective)) source.computed[r] = known->rows;
    }
    TransferTally tally;
    const std::optional<TimeRange> marked = source.context.onClockOf(source.ranks[r]).range;
    if (lacksLinks || lacksTransfers || marked) {
        const auto known = analysis.transfers(source.ranks[r], cancel);
        if (known == nullptr) return tally;
        source.wholeRunLinks[r] = known->rows;
        if (known->rows != nullptr) {
            tally.moving = known->tasks;
            tally.unknown = known->unknown;
            tally.hasRemote = known->remote > 0;
            const auto counted = marked ? known->within(*marked) : known->rows;
            if (lacksLinks || marked) source.computedLinks[r] = counted;
            if (lacksTransfers || marked) source.computedTransfers[r] = counted;
        } else {
            tally.hasWholeLinks = marked && !lacksLinks;
            tally.hasWholeTransfers = marked && !lacksTransfers;
        }
    }
    tally.isDone = !cancel.cancelled();
    return tally;
}

bool computeMissing(CommunicationSource& source, const CaptureAnalysis& analysis, const CancelToken& cancel) {
    std::vector<TransferTally> tallies(source.ranks.size());
    parallelFor(tallies.size(), [&](std::size_t r) { tallies[r] = computeMissing(source, r, analysis, cancel); });
    for (std::size_t r = 0; r < tallies.size(); ++r) {
        const TransferTally& tally = tallies[r];
        if (!tally.isDone) return false;
        source.movingTasks += tally.moving;
        source.unknownTasks += tally.unknown;
        source.hasRemote = source.hasRemote || tally.hasRemote;
        if (tally.hasWholeLinks) source.wholeLinks.push_back(r);
        if (tally.hasWholeTransfers) source.wholeTransfers.push_back(r);
    }
    return true;
}

}  // namespace

std::shared_ptr<const CommunicationSource> communicationSource(const std::shared_ptr<const CaptureStore>& capture,
                                                               const std::shared_ptr<const CaptureAnalysis>& analysis,
                                                               const ContextFilter& context,
                                                               const CancelToken& cancel) {
    auto source = std::make_shared<CommunicationSource>();
    source->capture = capture;
    source->context = context;
    for (RankIndex i; i.value < capture->ranks.size(); ++i.value) {
        if (context.holds(capture->ranks[i.value].info)) source->ranks.push_back(i);
    }
    for (auto* computed :
         {&source->computed, &source->computedLinks, &source->computedTransfers, &source->wholeRunLinks})
        computed->resize(source->ranks.size());
    if (analysis != nullptr && !computeMissing(*source, *analysis, cancel)) return nullptr;
    for (std::size_t r = 0; r < source->ranks.size(); ++r) {
        source->hasLinks = source->hasLinks || source->links(r) != nullptr || source->computedLinks[r] != nullptr;
        source->hasCollectives = source->hasCollectives || source->collectives(r) != nullptr;
    }
    auto choices = communicationChoices(*capture, source->ranks, {source->computed, source->computedLinks}, cancel);
    if (!choices) return nullptr;
    source->choices = std::move(*choices);
    source->unequal = unequalGroups(*source);
    source->missingSteps = missingSteps(*source);
    return source;
}

}  // namespace altiscope
