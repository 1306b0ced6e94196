#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/collectives/collective_times.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Whether an operator sends to the next stage and receives from the one before at once: step tables count its time as
/// communication, not as bubble.
bool isBatchedName(std::string_view name) { return collectiveType(name) == "batchsendrecv"; }

/// Which names are those of sends and receives, by id: each is looked at once.
class PeerNames {
public:
    explicit PeerNames(const StringPool& texts) : m_texts(texts), m_kinds(texts.size(), kUnknown) {}
    bool isPeer(StringId name) { return of(name) != kCollective; }
    bool isReceive(StringId name) { return of(name) == kReceive; }
    bool isBatch(StringId name) { return of(name) == kBatch; }

private:
    enum Kind : unsigned char { kUnknown, kCollective, kPeer, kReceive, kBatch };
    Kind of(StringId name) {
        Kind& kind = m_kinds[name.value];
        if (kind == kUnknown) {
            const std::string_view text = m_texts.text(name);
            kind = isReceiveName(text)       ? kReceive
                   : !isPeerToPeerName(text) ? kCollective
                   : isBatchedName(text)     ? kBatch
                                             : kPeer;
        }
        return kind;
    }

    const StringPool& m_texts;
    std::vector<Kind> m_kinds;
};

/// Limits batched operators to what is exposed of them at least: all but what is overlapped, if that is all theirs.
void limitBatched(RankFacts& facts) {
    for (StepFacts& step : facts.steps) {
        const std::int64_t overlapped =
            std::max<std::int64_t>(0, saturatedDifference(step.communication, step.notOverlapped()));
        step.batched = std::clamp<std::int64_t>(saturatedDifference(step.batched, overlapped), 0,
                                                std::max<std::int64_t>(0, step.exposed));
        step.batchedWait = std::min(step.batchedWait, step.batched);
    }
}

}  // namespace

void readWaitFacts(const RowTables& tables, const CaptureGroups& directory, RankFacts& facts,
                   const CancelToken& cancel) {
    constexpr auto K = RowKind::Collective;
    static constexpr std::size_t kStep = fixedColumn(K, "step"), kGroup = fixedColumn(K, "group_name"),
                                 kName = fixedColumn(K, "op_name"), kElapsed = fixedColumn(K, "elapsed"),
                                 kTransit = fixedColumn(K, "transit"), kWait = fixedColumn(K, "wait");
    const RowTable* table = tables.find(K);
    if (table == nullptr) return;
    const auto computed = tables.texts().find("computed");
    facts.areCollectivesComputed =
        computed && table->size() > 0 && table->text(fixedColumn(K, "origin"), 0) == computed;
    std::map<std::optional<std::int64_t>, std::size_t> places;
    for (std::size_t i = 0; i < facts.steps.size(); ++i) places.emplace(facts.steps[i].step, i);
    PeerNames names(tables.texts());
    std::map<std::int64_t, WaitFacts> groups;  // by text, -1: none
    std::set<std::int64_t> steps;
    std::uint64_t receives = 0;
    const CollectiveGroups known(directory, facts.rankId);
    std::map<std::int64_t, bool> betweenStages;  // by text of the group
    const auto isBetweenStages = [&](std::optional<StringId> group) {
        const auto [at, isNew] = betweenStages.try_emplace(group ? std::int64_t{group->value} : -1);
        if (isNew) {
            const std::string type =
                group ? known.parallelType("Group " + std::string(tables.texts().text(*group)) + " Communication", {})
                      : std::string();
            at->second = type.empty() || type.starts_with("pp");
        }
        return at->second;
    };
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        const auto name = table->text(kName, row);
        const auto step = table->integer(kStep, row), elapsed = table->integer(kElapsed, row),
                   transit = table->integer(kTransit, row);
        steps.insert(step.value_or(kNoCell));
        if (name && names.isPeer(*name)) {
            receives += names.isReceive(*name) ? 1 : 0;
            const auto place = places.find(step);
            if (place == places.end() || !elapsed || *elapsed < 0 || !names.isBatch(*name)) continue;
            if (!isBetweenStages(table->text(kGroup, row))) continue;
            addSaturated(facts.steps[place->second].batched, *elapsed);
            addSaturated(facts.steps[place->second].batchedWait,
                         std::clamp<std::int64_t>(table->integer(kWait, row).value_or(0), 0, *elapsed));
            continue;
        }
        if (!elapsed || !transit || *elapsed < 0 || *transit < 0) continue;
        // Neither moving nor waiting is not known rather than nothing: the tasks of other planes moved the data.
        if (*transit == 0 && table->integer(kWait, row).value_or(0) == 0) continue;
        const auto group = table->text(kGroup, row);
        WaitFacts& sum = groups[group ? std::int64_t{group->value} : -1];
        ++sum.count;
        addSaturated(sum.elapsed, *elapsed);
        addSaturated(sum.transit, *transit);
        const auto place = places.find(step);
        if (place == places.end()) continue;
        sum.byStep.resize(facts.steps.size());
        addSaturated(sum.byStep[place->second], std::max<std::int64_t>(0, saturatedDifference(*elapsed, *transit)));
    }
    for (auto& [text, sum] : groups) {
        if (text >= 0) sum.group = tables.texts().text(StringId{static_cast<std::uint32_t>(text)});
        facts.waits.push_back(std::move(sum));
    }
    limitBatched(facts);
    if (!steps.empty()) facts.receivesPerStep = static_cast<double>(receives) / static_cast<double>(steps.size());
}

void readReceiveWaits(const RankEntry& rank, const RowTables& tables, RankFacts& facts) {
    constexpr auto K = RowKind::Collective;
    const RowTable* table = tables.find(K);
    const bool isStated =
        std::any_of(facts.steps.begin(), facts.steps.end(), [](const StepFacts& step) { return step.endToEnd() > 0; });
    if (table == nullptr || isStated) return;
    PeerNames names(tables.texts());
    std::map<std::int64_t, std::int64_t> waits;  // by step
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto name = table->text(fixedColumn(K, "op_name"), row);
        const auto step = table->integer(fixedColumn(K, "step"), row),
                   wait = table->integer(fixedColumn(K, "wait"), row);
        if (name && step && wait && *wait > 0 && names.isReceive(*name)) addSaturated(waits[*step], *wait);
    }
    for (const Step& step : rank.steps) {
        if (!step.range || step.range->empty()) continue;
        const auto wait = waits.find(step.number);
        if (wait == waits.end()) continue;
        ++facts.receiveWaits.steps;
        addSaturated(facts.receiveWaits.time, step.range->length().value);
        // Receives of several streams may wait at once.
        addSaturated(facts.receiveWaits.wait, std::min(wait->second, step.range->length().value));
    }
}

}  // namespace altiscope
