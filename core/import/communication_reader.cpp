#include "core/base/file.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/import/cluster_keys.h"
#include "core/import/communication_rows.h"
#include "core/import/json_leaves.h"
#include "core/import/table_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr std::size_t kWindows = 4;               // chunks in memory
constexpr std::size_t kMaxMember = 64 << 20;      // an object that is longer is no operator's
constexpr std::size_t kLeavesAtOnce = 1 << 16;

/// Objects that belong together: read by one worker.
struct LeafGroup {
    Diagnostics problems;
    std::vector<RowTablesBuilder::Packed> rows;
};

class CommunicationReading {
public:
    /// @param cluster  Gets the keys of a cluster's file; null: the file is a rank's.
    CommunicationReading(ReadOnlyFile file, const SourceFile& source, bool isMatrix, const GroupDirectory& groups, ClusterKeys* cluster, TableContext& context)
        : m_file(std::move(file)), m_source(source), m_isMatrix(isMatrix), m_groups(groups), m_cluster(cluster), m_context(context),
          m_walk(isMatrix ? std::vector<std::string_view>{"Transport Type", "Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)", "Op Name", "op_name"}
                          : std::vector<std::string_view>{"Communication Time Info", "Communication Bandwidth Info"}) {}

    Result<Done> run();

private:
    std::string_view text() const { return {m_window.data(), m_filled}; }
    Result<Done> fill();
    void readLeaves(std::vector<JsonLeaf>& leaves);
    void tell(std::string_view code, Severity severity, std::uint64_t byte, std::uint64_t count = 1) {
        m_context.diagnostics.add(code, severity, m_source.name, {PlaceUnit::Byte, byte}, {}, count);
    }

    const ReadOnlyFile m_file;
    const SourceFile& m_source;
    const bool m_isMatrix;
    const GroupDirectory& m_groups;
    ClusterKeys* const m_cluster;
    TableContext& m_context;
    JsonLeafWalk m_walk;

    std::vector<char> m_window;
    std::size_t m_filled = 0;
    std::uint64_t m_start = 0;  // of the window in the file
    bool m_isLast = false;
    std::vector<std::unique_ptr<CommunicationRows>> m_readers;
    std::vector<std::uint32_t> m_clusterSets;  // of the leaves at hand
};

Result<Done> CommunicationReading::fill() {
    const std::size_t used = m_walk.position();
    if (m_filled > used) std::memmove(m_window.data(), m_window.data() + used, m_filled - used);
    m_walk.shorten(used);
    m_filled -= used;
    m_start += used;
    const std::uint64_t left = m_file.size() - std::min(m_file.size(), m_start + m_filled) + 1;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max<std::size_t>(1, m_context.chunkBytes) * kWindows));
    const std::size_t size = m_filled + wanted + simdjson::SIMDJSON_PADDING;
    if (m_window.size() < size) m_window.resize(size);
    const auto got = m_file.read(m_start + m_filled, std::span(m_window).subspan(m_filled, wanted));
    if (!got.ok()) return got.as<Done>();
    m_filled += got.value();
    m_isLast = got.value() < wanted;
    m_context.progress.addDone(got.value());
    return Done{};
}

void CommunicationReading::readLeaves(std::vector<JsonLeaf>& leaves) {
    static constexpr std::size_t kPerGroup = 256;
    m_clusterSets.assign(leaves.size(), 0);
    for (std::size_t i = 0; m_cluster != nullptr && i < leaves.size(); ++i)
        m_clusterSets[i] = m_isMatrix ? m_cluster->addLink(leaves[i]) : m_cluster->addOperator(leaves[i]);
    std::vector<LeafGroup> groups((leaves.size() + kPerGroup - 1) / kPerGroup);
    const auto of = m_cluster == nullptr ? CommunicationOf::Rank : CommunicationOf::Cluster;
    while (m_readers.size() < std::min<std::size_t>(groups.size(), 8))
        m_readers.push_back(std::make_unique<CommunicationRows>(m_context.builder, m_groups, of));
    // Group g belongs to reader g mod readers, so that no two workers share one.
    parallelFor(std::min(groups.size(), m_readers.size()), [&](std::size_t r) {
        for (std::size_t g = r; g < groups.size() && !m_context.cancel.cancelled(); g += m_readers.size()) {
            LeafGroup& group = groups[g];
            for (std::size_t i = g * kPerGroup; i < std::min(leaves.size(), (g + 1) * kPerGroup); ++i) {
                const JsonLeaf& leaf = leaves[i];
                const std::string_view object = text().substr(leaf.begin, leaf.length);
                CommunicationRows& reader = *m_readers[r];
                std::string repaired;
                const bool isText = isValidUtf8(object);
                if (!isText) {
                    repaired = repairedUtf8(object);
                    repaired.append(simdjson::SIMDJSON_PADDING, ' ');
                }
                const std::string_view whole = isText ? object : std::string_view(repaired).substr(0, repaired.size() - simdjson::SIMDJSON_PADDING);
                const auto problems = m_isMatrix ? reader.addLink(leaf, whole, m_clusterSets[i]) : reader.addOperator(leaf, whole);
                const Place place{PlaceUnit::Byte, m_start + leaf.begin};
                if (problems.badNumbers > 0)
                    group.problems.add("communication.bad_number", Severity::Repaired, m_source.name, place, {}, problems.badNumbers);
                if (problems.isNowhere) group.problems.add("cluster.no_rank", Severity::Lost, m_source.name, place);
                if (problems.isBroken) group.problems.add("communication.broken_object", Severity::Lost, m_source.name, place);
            }
            group.rows = m_readers[r]->take();
        }
    });
    for (LeafGroup& group : groups) {
        m_context.diagnostics.merge(group.problems);
        for (auto& rows : group.rows) m_context.builder.append(std::move(rows));
    }
    leaves.clear();
}

Result<Done> CommunicationReading::run() {
    std::vector<JsonLeaf> leaves;
    auto state = JsonLeafWalk::State::NeedMore;
    while (state == JsonLeafWalk::State::NeedMore) {
        if (m_context.cancel.cancelled()) return Cancelled{};
        if (auto filled = fill(); !filled.ok()) return filled;
        if (m_start == 0 && m_filled == 0) {
            tell("csv.empty", Severity::Info, 0);
            return Done{};
        }
        std::size_t found = 0;
        do {
            state = m_walk.advance(text(), leaves, kLeavesAtOnce);
            found = leaves.size();
            readLeaves(leaves);
        } while (state == JsonLeafWalk::State::NeedMore && found == kLeavesAtOnce);
        if (state != JsonLeafWalk::State::NeedMore) break;
        if (m_isLast || m_filled - m_walk.position() > kMaxMember) break;
    }
    const std::uint64_t end = m_start + m_walk.position();
    if (m_walk.oddValues() > 0) tell("communication.odd_value", Severity::Repaired, 0, m_walk.oddValues());
    if (state == JsonLeafWalk::State::NeedMore) tell("communication.cut", Severity::Lost, end);
    if (state == JsonLeafWalk::State::Broken) tell("communication.broken", Severity::Lost, end);
    return m_context.cancel.cancelled() ? Result<Done>(Cancelled{}) : Result<Done>(Done{});
}

Result<Done> readCommunicationFile(const SourceFile& source, bool isMatrix, const GroupDirectory& groups, ClusterKeys* cluster, TableContext& context) {
    auto file = ReadOnlyFile::open(source.path);
    if (!file.ok()) return file.as<Done>();
    return CommunicationReading(std::move(file).value(), source, isMatrix, groups, cluster, context).run();
}

}  // namespace

Result<Done> readCommunication(const SourceFile& source, const GroupDirectory& groups, TableContext& context) {
    return readCommunicationFile(source, false, groups, nullptr, context);
}

Result<Done> readCommunicationMatrix(const SourceFile& source, const GroupDirectory& groups, TableContext& context) {
    return readCommunicationFile(source, true, groups, nullptr, context);
}

Result<Done> readClusterCommunication(const SourceFile& source, const GroupDirectory& groups, ClusterKeys& keys, TableContext& context) {
    return readCommunicationFile(source, false, groups, &keys, context);
}

Result<Done> readClusterMatrix(const SourceFile& source, const GroupDirectory& groups, ClusterKeys& keys, TableContext& context) {
    return readCommunicationFile(source, true, groups, &keys, context);
}

}  // namespace altiscope::reader
