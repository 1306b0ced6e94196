#include "core/base/files/file.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/import/communication/cluster_keys.h"
#include "core/import/communication/communication_rows.h"
#include "core/import/contracts/table_reader.h"
#include "core/import/files/text_zeros.h"
#include "core/import/json/json_leaves.h"

#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr std::size_t kWindows = 4;           // chunks in memory
constexpr std::size_t kMaxMember = 64 << 20;  // an object that is longer is no operator's
constexpr std::size_t kLeavesAtOnce = 1 << 16;
constexpr std::size_t kPerGroup = RowBlock::kBlock;  // blocks that are whole are packed once
constexpr std::size_t kMaxReaders = 8;

/// Objects that belong together: read by one worker.
struct LeafGroup {
    Diagnostics problems;
    std::vector<RowTablesBuilder::Packed> rows;
};

struct CommunicationInput {
    const SourceFile& source;
    bool isMatrix = false;
    ClusterKeys* cluster = nullptr;  // gets the keys of a cluster's file; null: the file is a rank's
};

/// One file on its way in: while the workers read the objects of one batch, one of them walks on to find the next.
class CommunicationReading {
public:
    CommunicationReading(ReadOnlyFile file, const CommunicationInput& input, const GroupDirectory& groups,
                         TableContext& context)
        : m_file(std::move(file)), m_source(input.source), m_isMatrix(input.isMatrix), m_groups(groups),
          m_cluster(input.cluster), m_context(context),
          m_walk(m_isMatrix
                     ? std::vector<std::string_view>{"Transport Type", "Transit Size(MB)", "Transit Time(ms)",
                                                     "Bandwidth(GB/s)", "Op Name", "op_name"}
                     : std::vector<std::string_view>{"Communication Time Info", "Communication Bandwidth Info"}) {}

    Result<Done> run();

private:
    using State = JsonLeafWalk::State;
    /// Some of the file. The next one begins where the walk has got to.
    struct Window {
        std::vector<char> bytes;
        std::size_t filled = 0;
        std::uint64_t start = 0;  // in the file
        bool isLast = false;
        std::string_view text() const { return {bytes.data(), filled}; }
    };
    /// Leaves that the walk has found in a window, and how it ended there.
    struct Batch {
        std::shared_ptr<Window> window;
        std::vector<JsonLeaf> leaves;
        State state = State::NeedMore;
        bool isWindowDone = true;
        std::optional<Error> error;
    };
    void walkOn(const Batch& before, Batch& batch);
    std::optional<Error> fill(const Window& before, Window& window);
    /// Whether the walk goes no further than this batch.
    bool isLast(const Batch& batch) const;
    /// Adds the rows of a batch. @param next  Becomes the one after it meanwhile, unless it is null.
    void readBatch(const Batch& batch, Batch* next);
    void readLeaves(const Batch& batch, std::size_t reader);
    /// @param end  Where the walk ended in the file.
    void reportOddities(std::uint64_t end);
    void reportEnd(const Batch& last);
    void report(std::string_view code, Severity severity, std::uint64_t byte, std::uint64_t count = 1) {
        m_context.diagnostics.add(code, severity, m_source.name, {PlaceUnit::Byte, byte}, {}, count);
    }

    const ReadOnlyFile m_file;
    const SourceFile& m_source;
    const bool m_isMatrix;
    const GroupDirectory& m_groups;
    ClusterKeys* const m_cluster;
    TableContext& m_context;
    JsonLeafWalk m_walk;
    std::vector<std::uint64_t> m_zeros;  // places in the file
    bool m_endsInZero = false;

    std::vector<std::unique_ptr<CommunicationRows>> m_readers;
    // State of the batch at hand:
    std::vector<std::uint32_t> m_clusterSets;  // by leaf
    std::vector<LeafGroup> m_leafGroups;
};

std::optional<Error> CommunicationReading::fill(const Window& before, Window& window) {
    const std::size_t used = m_walk.position();
    m_walk.shorten(used);
    window.filled = before.filled - used;
    window.start = before.start + used;
    const std::uint64_t end = before.start + before.filled;
    const std::uint64_t left = m_file.size() - std::min(m_file.size(), end) + 1;
    const auto wanted = static_cast<std::size_t>(
        std::min<std::uint64_t>(left, std::max<std::size_t>(1, m_context.chunkBytes) * kWindows));
    const std::size_t size = window.filled + wanted + simdjson::SIMDJSON_PADDING;
    if (window.bytes.size() < size) window.bytes.resize(size);
    std::copy_n(before.bytes.begin() + static_cast<std::ptrdiff_t>(used), window.filled, window.bytes.begin());
    const auto got = m_file.read(end, std::span(window.bytes).subspan(window.filled, wanted));
    if (!got.ok()) return got.error();
    m_endsInZero = findZeros({window.bytes.data() + window.filled, got.value()}, end, m_endsInZero, m_zeros);
    window.filled += got.value();
    window.isLast = got.value() < wanted;
    // A byte order mark is no part of the text.
    static constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (window.start == 0 && window.text().starts_with(kMark)) std::fill_n(window.bytes.begin(), kMark.size(), ' ');
    m_context.progress.addDone(got.value());
    return std::nullopt;
}

void CommunicationReading::walkOn(const Batch& before, Batch& batch) {
    if (before.isWindowDone) {
        if (batch.window == nullptr || batch.window == before.window) batch.window = std::make_shared<Window>();
        batch.error = fill(*before.window, *batch.window);
        if (batch.error) return;
    } else {
        batch.window = before.window;
    }
    batch.leaves.clear();
    batch.state = m_walk.advance(batch.window->text(), batch.leaves, kLeavesAtOnce);
    batch.isWindowDone = batch.leaves.size() < kLeavesAtOnce;
}

/// Group g belongs to reader g mod readers, so that no two workers share one.
void CommunicationReading::readLeaves(const Batch& batch, std::size_t r) {
    const std::vector<JsonLeaf>& leaves = batch.leaves;
    CommunicationRows& reader = *m_readers[r];
    for (std::size_t g = r; g < m_leafGroups.size() && !m_context.cancel.cancelled(); g += m_readers.size()) {
        LeafGroup& group = m_leafGroups[g];
        for (std::size_t i = g * kPerGroup; i < std::min(leaves.size(), (g + 1) * kPerGroup); ++i) {
            const JsonLeaf& leaf = leaves[i];
            const std::string_view object = batch.window->text().substr(leaf.begin, leaf.length);
            std::string repaired;
            const bool isText = isValidUtf8(object);
            if (!isText) {
                repaired = repairedUtf8(object);
                repaired.append(simdjson::SIMDJSON_PADDING, ' ');
            }
            const std::string_view whole =
                isText ? object : std::string_view(repaired).substr(0, repaired.size() - simdjson::SIMDJSON_PADDING);
            const auto problems =
                m_isMatrix ? reader.addLink(leaf, whole, m_clusterSets[i]) : reader.addOperator(leaf, whole);
            const Place place{PlaceUnit::Byte, batch.window->start + leaf.begin};
            if (problems.badNumbers > 0)
                group.problems.add("communication.bad_number", Severity::Repaired, m_source.name, place, {},
                                   problems.badNumbers);
            if (problems.repeated > 0)
                group.problems.add("json.repeated_key", Severity::Lost, m_source.name, place, {}, problems.repeated);
            if (problems.nested > 0)
                group.problems.add("communication.nested_object", Severity::Lost, m_source.name, place, {},
                                   problems.nested);
            if (problems.unknown > 0)
                group.problems.add("communication.unknown_key", Severity::Info, m_source.name, place,
                                   {{"key", printableText(problems.unknownKey)}}, problems.unknown);
            if (problems.isNowhere) group.problems.add("cluster.no_rank", Severity::Lost, m_source.name, place);
            if (problems.hasOddKey)
                group.problems.add("communication.odd_key", Severity::Repaired, m_source.name, place);
            if (problems.isBroken)
                group.problems.add("communication.broken_object", Severity::Lost, m_source.name, place);
        }
        group.rows = reader.take();
    }
}

bool CommunicationReading::isLast(const Batch& batch) const {
    const Window& window = *batch.window;
    return batch.state != State::NeedMore ||
           (batch.isWindowDone && (window.isLast || window.filled - m_walk.position() > kMaxMember));
}

Result<Done> CommunicationReading::run() {
    Batch batch, next;
    batch.window = std::make_shared<Window>();
    walkOn(Batch(batch), batch);
    if (batch.error) return *batch.error;
    if (batch.window->filled == 0) {
        report("csv.empty", Severity::Lost, 0);
        return Done{};
    }
    for (;;) {
        const bool isEnd = isLast(batch);
        readBatch(batch, isEnd ? nullptr : &next);
        if (m_context.cancel.cancelled()) return Cancelled{};
        if (isEnd) break;
        if (next.error) return *next.error;
        std::swap(batch, next);
    }
    reportOddities(batch.window->start + m_walk.position());
    reportEnd(batch);
    return Done{};
}

void CommunicationReading::readBatch(const Batch& batch, Batch* next) {
    const std::vector<JsonLeaf>& leaves = batch.leaves;
    m_clusterSets.assign(leaves.size(), 0);
    for (std::size_t i = 0; m_cluster != nullptr && i < leaves.size(); ++i)
        m_clusterSets[i] = m_isMatrix ? m_cluster->addLink(leaves[i]) : m_cluster->addOperator(leaves[i]);
    m_leafGroups.clear();
    m_leafGroups.resize((leaves.size() + kPerGroup - 1) / kPerGroup);
    const auto of = m_cluster == nullptr ? CommunicationOf::Rank : CommunicationOf::Cluster;
    while (m_readers.size() < std::min<std::size_t>(m_leafGroups.size(), kMaxReaders))
        m_readers.push_back(std::make_unique<CommunicationRows>(m_context.builder, m_groups, of));
    parallelFor(1 + std::min(m_leafGroups.size(), m_readers.size()), [&](std::size_t i) {
        if (i > 0) readLeaves(batch, i - 1);
        else if (next != nullptr) walkOn(batch, *next);
    });
    if (m_context.cancel.cancelled()) return;
    for (LeafGroup& group : m_leafGroups) {
        m_context.diagnostics.merge(group.problems);
        for (auto& rows : group.rows) m_context.builder.append(std::move(rows));
    }
}

void CommunicationReading::reportOddities(std::uint64_t end) {
    // In a name they hide the objects that stood there. After the end it depends on the window how many were seen, and
    // nothing was read there anyway.
    std::erase_if(m_zeros, [&](std::uint64_t place) { return place >= end; });
    reportZeros(m_zeros, m_source.name, m_context.diagnostics);
    if (const auto& odd = m_walk.oddValues(); odd.count > 0)
        report("communication.odd_value", Severity::Lost, odd.first, odd.count);
    if (const auto& odd = m_walk.oddFacts(); odd.count > 0)
        report("communication.odd_fact", Severity::Repaired, odd.first, odd.count);
    if (const auto& keys = m_walk.repeatedKeys(); keys.count > 0)
        report("communication.repeated_key", Severity::Repaired, keys.first, keys.count);
}

void CommunicationReading::reportEnd(const Batch& batch) {
    const std::uint64_t end = batch.window->start + m_walk.position();
    const auto reportLimit = [&](std::string_view code, std::size_t limit) {
        m_context.diagnostics.add(code, Severity::Lost, m_source.name, {PlaceUnit::Byte, end},
                                  {{"limit", std::to_string(limit)}});
    };
    if (batch.state == State::NeedMore) {
        if (batch.window->isLast) report("communication.cut", Severity::Lost, end);
        else reportLimit("communication.too_large", kMaxMember);
        return;
    }
    if (batch.state == State::Broken) {
        if (m_walk.isTooDeep()) reportLimit("json.too_deep", JsonLeafWalk::kMaxNesting);
        else report("communication.broken", Severity::Lost, end);
        return;
    }
    // Text after the last bracket belongs before it: the nesting is broken.
    const std::string_view after = batch.window->text().substr(m_walk.position());
    const bool hasMore = after.find_first_not_of(" \t\r\n") != std::string_view::npos ||
                         batch.window->start + batch.window->filled < m_file.size();
    if (hasMore) report("communication.broken", Severity::Lost, end);
}

Result<Done> readCommunicationFile(const CommunicationInput& input, const GroupDirectory& groups,
                                   TableContext& context) {
    const SourceFile& source = input.source;
    auto file = ReadOnlyFile::openText(source.path, context.cancel);
    if (!file.ok()) return file.as<Done>();
    if (file.value().isConverted()) context.diagnostics.add("text.utf16", Severity::Info, source.name, {});
    return CommunicationReading(std::move(file).value(), input, groups, context).run();
}

}  // namespace

Result<Done> readCommunication(const SourceFile& source, const GroupDirectory& groups, TableContext& context) {
    return readCommunicationFile({source}, groups, context);
}

Result<Done> readCommunicationMatrix(const SourceFile& source, const GroupDirectory& groups, TableContext& context) {
    return readCommunicationFile({source, true}, groups, context);
}

Result<Done> readClusterCommunication(const SourceFile& source, const GroupDirectory& groups, ClusterKeys& keys,
                                      TableContext& context) {
    return readCommunicationFile({source, false, &keys}, groups, context);
}

Result<Done> readClusterMatrix(const SourceFile& source, const GroupDirectory& groups, ClusterKeys& keys,
                               TableContext& context) {
    return readCommunicationFile({source, true, &keys}, groups, context);
}

}  // namespace altiscope::reader
