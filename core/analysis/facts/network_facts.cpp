#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/matrix_kernels.h"
#include "core/analysis/support/saturating.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

struct Moved {
    std::int64_t bytes = 0, time = 0;  ///< ns
};

/// What each collective moved by one transport, as the profiler's files state it; by step, name and group.
class MovedBytes {
public:
    MovedBytes(const RowTables& tables, std::string_view transport, const CancelToken& cancel) {
        static constexpr auto kTransport = fixedColumn(RowKind::Bandwidth, "transport"),
                              kSize = fixedColumn(RowKind::Bandwidth, "size"),
                              kTime = fixedColumn(RowKind::Bandwidth, "transit");
        const RowTable* table = tables.find(RowKind::Bandwidth);
        const auto wanted = tables.texts().find(transport);
        for (std::size_t row = 0; table != nullptr && wanted && row < table->size(); ++row) {
            if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
            const auto size = table->integer(kSize, row), time = table->integer(kTime, row);
            if (table->text(kTransport, row) != wanted || !size || !time || *time <= 0) continue;
            Moved& sum = m_byCall[keyOf(*table, row)];
            addSaturated(sum.bytes, *size);
            addSaturated(sum.time, *time);
        }
    }
    bool empty() const { return m_byCall.empty(); }
    /// Null if it moved nothing that way.
    const Moved* find(const RowTable& table, std::size_t row) const {
        const auto found = m_byCall.find(keyOf(table, row));
        return found == m_byCall.end() ? nullptr : &found->second;
    }

private:
    using Key = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;
    static Key keyOf(const RowTable& table, std::size_t row) {
        const auto text = [&](std::string_view column) {
            return table.text(rowColumn(table.kind(), column), row).value_or(StringId{}).value;
        };
        return {table.integer(rowColumn(table.kind(), "step"), row).value_or(kNoCell), text("op_name"),
                text("group_name")};
    }
    std::map<Key, Moved> m_byCall;
};

std::string textOf(const RowTables& tables, std::optional<StringId> id) {
    return id ? std::string(tables.text(*id)) : std::string();
}

}  // namespace

void readLongCollectives(const RankEntry& rank, RankFacts& facts, const CancelToken& cancel) {
    constexpr auto K = RowKind::Collective;
    static constexpr auto kStep = fixedColumn(K, "step"), kGroup = fixedColumn(K, "group_name"),
                          kName = fixedColumn(K, "op_name"), kElapsed = fixedColumn(K, "elapsed");
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(K);
    if (table == nullptr) return;
    const MovedBytes network(*rank.rows, "RDMA", cancel);
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        const auto elapsed = table->integer(kElapsed, row);
        if (!elapsed || *elapsed < kLongCollectiveNs) continue;
        const Moved* moved = network.find(*table, row);
        facts.longCollectives.push_back({table->integer(kStep, row), textOf(*rank.rows, table->text(kGroup, row)),
                                         textOf(*rank.rows, table->text(kName, row)), *elapsed,
                                         moved == nullptr ? 0 : moved->time, moved == nullptr ? 0 : moved->bytes});
    }
}

void readContentionFacts(const RankEntry& rank, const DeviceActivity& activity, RankFacts& facts,
                         const CancelToken& cancel) {
    constexpr auto K = RowKind::Collective;
    static constexpr auto kStep = fixedColumn(K, "step"), kName = fixedColumn(K, "op_name"),
                          kBegin = fixedColumn(K, "ts"), kElapsed = fixedColumn(K, "elapsed"),
                          kGroup = fixedColumn(K, "group_name");
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(K);
    // Of several devices nothing states whose collectives these are.
    if (table == nullptr || activity.devices.size() != 1) return;
    const MovedBytes moved(*rank.rows, "SDMA", cancel);
    if (moved.empty()) return;
    const MatrixKernels kernels(rank);
    std::map<std::optional<std::int64_t>, std::size_t> places;
    for (std::size_t i = 0; i < facts.steps.size(); ++i) places.emplace(facts.steps[i].step, i);
    std::map<std::uint32_t, std::string> types;  // by name
    // Like is compared with like: another group has other links, another size another bandwidth.
    std::map<std::tuple<std::string, std::uint32_t, int>, ContentionFacts> byType;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        const auto name = table->text(kName, row);
        const auto begin = table->integer(kBegin, row), elapsed = table->integer(kElapsed, row);
        if (!name || !begin || !elapsed || *elapsed <= 0) continue;
        const Moved* call = moved.find(*table, row);
        // What little data needs is no bandwidth.
        if (call == nullptr || call->bytes < kContendedBytes) continue;
        const auto [type, isNew] = types.try_emplace(name->value);
        if (isNew) type->second = collectiveType(rank.rows->text(*name));
        const std::uint32_t group = table->text(kGroup, row).value_or(StringId{}).value;
        ContentionFacts& sum = byType[{type->second, group, std::bit_width(static_cast<std::uint64_t>(call->bytes))}];
        const TimeRange range{TimeNs{*begin}, TimeNs{*begin} + DurationNs{*elapsed}};
        if (!kernels.ranWithin(range)) {
            ++sum.alone;
            addSaturated(sum.aloneBytes, call->bytes);
            addSaturated(sum.aloneTime, call->time);
            continue;
        }
        ++sum.beside;
        addSaturated(sum.besideBytes, call->bytes);
        addSaturated(sum.besideTime, call->time);
        const auto place = places.find(table->integer(kStep, row));
        if (place == places.end()) continue;
        sum.byStep.resize(facts.steps.size());
        ContentionFacts::InStep& step = sum.byStep[place->second];
        addSaturated(step.bytes, call->bytes);
        addSaturated(step.time, call->time);
        addSaturated(step.exposed, *elapsed - lengthWithin(activity.devices.front().computing, range).value);
    }
    for (auto& [key, sum] : byType) {
        sum.operation = std::get<0>(key);
        sum.group = textOf(*rank.rows, StringId{std::get<1>(key)});
        if (sum.beside > 0) facts.contention.push_back(std::move(sum));
    }
}

}  // namespace altiscope
