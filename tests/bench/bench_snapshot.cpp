// How fast the page Snapshot's queries are on N entries with a tenth as many blocks: reading, pictures of windows that
// zoom and pan, the pool at random entries, sums by call stack. Usage: bench_snapshot [ENTRIES [WIDTHxHEIGHT]]   prints
// one JSON object; times in ms.
#include "core/analysis/snapshot/block_picture.h"
#include "core/analysis/snapshot/pool_state.h"
#include "core/analysis/snapshot/stack_tree.h"
#include "core/store/rows/row_builder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Of this process: what a busy machine does not change.
double processorMs() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double part(std::vector<double> times, double share) {
    std::sort(times.begin(), times.end());
    return times[std::min(times.size() - 1, static_cast<std::size_t>(share * static_cast<double>(times.size())))];
}

struct Made {
    std::int64_t address = 0, bytes = 0, event = 0;
    int stack = 0;
};

/// Training: weights that stay, activations that are made in order and released backwards with gradients between them,
/// temporaries that come and go; entries of other kinds in between, so that ten entries are one block.
class Run {
public:
    explicit Run(std::size_t entries) : m_entries(static_cast<std::int64_t>(entries)) {
        event("segment_alloc", kBase, std::int64_t{1} << 36);
        m_reserved = std::int64_t{1} << 36;
    }
    std::shared_ptr<const RowTables> rows() {
        std::vector<Made> activations;
        for (int i = 0; i < 500; ++i) keep(alloc((1 + random(16)) << 20));
        while (m_event + 100 < m_entries) {
            for (int layer = 0; layer < 200 && m_event + 100 < m_entries; ++layer) {
                activations.push_back(alloc((1 + random(4096)) << 13));
                for (int i = 0; i < 3; ++i) free(alloc((1 + random(1024)) << 9));
            }
            std::vector<Made> gradients;
            while (!activations.empty() && m_event + 100 < m_entries) {
                gradients.push_back(alloc((1 + random(1024)) << 13));
                free(activations.back());
                activations.pop_back();
                for (int i = 0; i < 3; ++i) free(alloc((1 + random(1024)) << 9));
            }
            for (const Made& gradient : gradients) free(gradient);
        }
        for (const Made& made : activations) keep(made);
        finish();
        return m_builder.seal({}).value();
    }

private:
    static constexpr std::int64_t kBase = std::int64_t{1} << 40;
    static constexpr RowKind E = RowKind::SnapshotEvent, B = RowKind::SnapshotBlock;

    std::int64_t random(std::int64_t end) {
        return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(end));
    }
    std::string stackText(int stack) const {
        std::string text = "/src/layer.py(" + std::to_string(stack) + "): allocate";
        for (int depth = 0; depth < 12; ++depth)
            text +=
                "\n/src/model_" + std::to_string(depth) + ".py(" + std::to_string(stack % (12 - depth)) + "): forward";
        return text;
    }
    void event(const char* action, std::int64_t address, std::int64_t size) {
        m_events.addRow();
        m_events.setInteger(fixedColumn(E, "device_id"), 0);
        m_events.setInteger(fixedColumn(E, "event_id"), m_event++);
        m_events.setText(fixedColumn(E, "action"), action);
        m_events.setInteger(fixedColumn(E, "address"), address);
        m_events.setInteger(fixedColumn(E, "size"), size);
        m_events.setInteger(fixedColumn(E, "allocated"), m_allocated);
        m_events.setInteger(fixedColumn(E, "reserved"), m_reserved);
    }
    Made alloc(std::int64_t bytes) {
        for (int i = 0; i < 7; ++i) event("snapshot", 0, 0);
        const std::int64_t address = kBase + (m_next += (bytes + 511) / 512 * 512);
        m_allocated += bytes;
        const Made made{address, bytes, m_event, static_cast<int>(random(5000))};
        event("alloc", address, bytes);
        return made;
    }
    void add(const Made& made, const char* state) {
        m_blocks.addRow();
        m_blocks.setInteger(fixedColumn(B, "device_id"), 0);
        m_blocks.setInteger(fixedColumn(B, "address"), made.address);
        m_blocks.setInteger(fixedColumn(B, "requested"), made.bytes);
        m_blocks.setText(fixedColumn(B, "state"), state);
        m_blocks.setInteger(fixedColumn(B, "segment_address"), kBase);
        m_blocks.setInteger(fixedColumn(B, "alloc_event"), made.event);
        m_blocks.setText(fixedColumn(B, "stack"), stackText(made.stack));
    }
    void keep(const Made& made) {
        add(made, "active_allocated");
        m_blocks.setInteger(fixedColumn(B, "size"), (made.bytes + 511) / 512 * 512);
    }
    void free(const Made& made) {
        m_allocated -= made.bytes;
        event("free_requested", made.address, made.bytes);
        add(made, "freed");
        m_blocks.setInteger(fixedColumn(B, "free_event"), m_event);
        event("free_completed", made.address, made.bytes);
    }
    void finish() {
        m_builder.commit(m_events);
        m_builder.commit(m_blocks);
    }

    std::int64_t m_entries, m_event = 0, m_allocated = 0, m_reserved = 0, m_next = 0;
    std::mt19937_64 m_random{7};
    RowTablesBuilder m_builder;
    RowBatch m_events = m_builder.batch(E), m_blocks = m_builder.batch(B);
};

}  // namespace

int main(int argc, char** argv) {
    const std::size_t entries = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    int width = 1600, height = 500;
    if (argc > 2) std::sscanf(argv[2], "%dx%d", &width, &height);
    const auto rows = Run(entries).rows();

    auto start = Clock::now();
    const auto snapshot = deviceSnapshot(rows, 0, nullptr, {});
    const double readMs = msSince(start);
    start = Clock::now();
    const auto curve = SnapshotCurve::make(snapshot, {});
    const auto index = BlockIndex::make(curve, {});
    const auto history = PoolHistory::make(snapshot, {});
    const double indexMs = msSince(start);
    start = Clock::now();
    const auto frames = StackFrames::make(snapshot, {});
    const double framesMs = msSince(start);

    const std::int64_t end = snapshot->events, peak = curve->extremes(SnapshotTotal::Active, curve->all()).max;
    std::vector<double> pictures, processor, curves, pools, trees;
    std::size_t simplified = 0, drawn = 0;
    const auto show = [&](std::int64_t begin, std::int64_t length, std::int64_t low, std::int64_t high) {
        start = Clock::now();
        const double before = processorMs();
        const auto picture = blockPicture(*index, {begin, begin + length, low, high, width, height}, {});
        pictures.push_back(msSince(start));
        processor.push_back(processorMs() - before);
        simplified += picture->isSimplified ? 1 : 0;
        drawn = std::max(drawn, picture->drawn);
        start = Clock::now();
        for (const SnapshotTotal total : {SnapshotTotal::Allocated, SnapshotTotal::Reserved})
            curveColumns(*curve, total, begin, begin + length, width);
        curves.push_back(msSince(start));
    };
    std::mt19937_64 random(1);
    for (std::int64_t length = end; length >= 10; length = length * 7 / 10) {
        const std::int64_t first = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
        for (int pan = 0; pan < 5; ++pan)
            show(std::min(first, end - length) + pan * length / 20, length, 0, peak + peak / 20);
        show(std::min(first, end - length), length, peak / 2, peak / 2 + peak / 8);
    }
    for (int i = 0; i < 50; ++i) {
        const auto at = static_cast<EventNumber>(random() % static_cast<std::uint64_t>(end));
        start = Clock::now();
        const PoolState state = history->stateAt(at);
        pools.push_back(msSince(start));
        start = Clock::now();
        const auto tree = stackTree(*frames, {StackQuery::What::Alive, {at, at + 1}});
        trees.push_back(msSince(start));
    }
    std::printf("{\"entries\": %zu, \"blocks\": %zu, \"read_ms\": %.0f, \"index_ms\": %.0f, \"frames_ms\": %.0f, "
                "\"picture_p50_ms\": %.2f, \"picture_p99_ms\": %.2f, \"picture_max_ms\": %.2f, "
                "\"picture_processor_p99_ms\": %.2f, \"pictures\": %zu, "
                "\"simplified\": %zu, \"drawn\": %zu, \"curve_p99_ms\": %.2f, \"pool_p99_ms\": %.2f, "
                "\"icicle_p99_ms\": %.2f}\n",
                entries, snapshot->blocks.size(), readMs, indexMs, framesMs, part(pictures, 0.5), part(pictures, 0.99),
                part(pictures, 1), part(processor, 0.99), pictures.size(), simplified, drawn, part(curves, 0.99),
                part(pools, 0.99), part(trees, 0.99));
}
