#pragma once

#include "core/query/database.h"
#include "core/query/results/row_sink.h"
#include "core/store/capture_store.h"
#include "core/store/rows/row_builder.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/trace_text.h"

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::test {

/// Keeps the rows of a query as text: values of a row joined by '|', NULL as "NULL", reals as printf %.17g prints them.
class TextSink : public RowSink {
public:
    bool begin(std::span<const std::string> columns) override {
        names.assign(columns.begin(), columns.end());
        ++begun;
        return true;
    }
    bool row(std::span<const Value> values) override;

    std::vector<std::string> names;
    std::vector<std::string> rows;
    int begun = 0;
    std::size_t stopAfter = static_cast<std::size_t>(-1);  ///< Rows.
};

inline std::string valueText(const Value& value) {
    switch (value.type) {
    case ValueType::Null: return "NULL";
    case ValueType::Integer: return std::to_string(value.integer);
    case ValueType::Real: {
        std::array<char, 40> text{};
        std::snprintf(text.data(), text.size(), "%.17g", value.real);
        return text.data();
    }
    case ValueType::Text: return std::string(value.bytes);
    case ValueType::Blob: return "blob:" + std::string(value.bytes);
    }
    return {};
}

inline bool TextSink::row(std::span<const Value> values) {
    std::string& line = rows.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) line += (i > 0 ? "|" : "") + valueText(values[i]);
    return rows.size() < stopAfter;
}

/// The rows of a query, a line each; "error CODE: MESSAGE" or "cancelled" if there are none.
inline std::string runSql(const QueryDatabase& database, std::string_view sql) {
    TextSink sink;
    const auto result = database.run(sql, sink, {});
    if (result.cancelled()) return "cancelled";
    if (result.failed()) {
        std::string text = "error " + result.error().code;
        for (const auto& [name, value] : result.error().parameters)
            if (name == "message") text += ": " + value;
        return text;
    }
    std::string text;
    for (const std::string& row : sink.rows) text += (text.empty() ? "" : "\n") + row;
    return text;
}

/// A capture with one rank for each text (see trace_text.h), ids 0, 1, 2 ...
inline std::shared_ptr<CaptureStore> captureFromTexts(const std::vector<std::string>& texts) {
    auto capture = std::make_shared<CaptureStore>();
    capture->path = "capture";
    capture->state = CaptureStore::State::Ok;
    capture->sealed = true;
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
        RankEntry& entry = capture->ranks.emplace_back();
        entry.info.rankId = i;
        entry.info.path = "rank" + std::to_string(i);
        entry.info.state = RankState::Ok;
        entry.trace = traceFromText(texts[i], nullptr, i);
    }
    return capture;
}

/// A capture with a rank of unknown id and ranks 1, 1 and 4: slices that nest, overlap, have no length or the same
/// begin, odd names, instants, counters and flows, all by chance from `seed`.
inline std::shared_ptr<CaptureStore> randomCapture(unsigned seed, std::size_t slicesPerRank) {
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t limit) { return random() % limit; };
    const std::array<std::string, 14> texts{"a", "A",   "aten::mm", "aten::mul", "Aten::mm", "5",    "007",
                                            "",  "x%y", "x_y",      "ä",         "算子",     "b'\"", "zz*"};
    auto capture = std::make_shared<CaptureStore>();
    capture->state = CaptureStore::State::Ok;
    const std::array<std::optional<std::int64_t>, 4> ids{std::nullopt, 1, 1, 4};
    for (std::uint32_t r = 0; r < ids.size(); ++r) {
        TraceBuilder builder("random" + std::to_string(r));
        TraceBuilder::Names names(builder);
        Segment segment;
        std::uint64_t offset = 0;
        const auto pos = [&] { return SourcePos::make(r, 10 * offset++); };
        const auto thread = [&] { return names.thread(std::to_string(below(2)), std::to_string(below(4))); };
        for (std::size_t i = 0; i < slicesPerRank; ++i) {
            segment.slices.add(thread(), 1000 + below(500), below(4) == 0 ? 0 : below(60),
                               names.text(texts[below(texts.size())]),
                               names.text(below(3) == 0 ? "" : "c" + std::to_string(below(3))), pos());
        }
        for (std::size_t i = 0; i < slicesPerRank / 4; ++i) {
            segment.instants.push_back({thread(), 1000 + static_cast<std::int64_t>(below(500)),
                                        names.text(texts[below(texts.size())]), pos()});
            segment.samples.push_back(
                {names.counter(std::to_string(below(2)), texts[below(4)]), names.text("s" + std::to_string(below(3))),
                 1000 + static_cast<std::int64_t>(below(500)), static_cast<double>(below(100)) / 7, pos()});
            const FlowKey key = makeFlowKey(std::to_string(i));
            segment.flows.push_back({thread(), FlowPoint::Start, names.text("f"),
                                     1000 + static_cast<std::int64_t>(below(500)), key, pos()});
            segment.flows.push_back({thread(), FlowPoint::Finish, names.text("f"),
                                     1000 + static_cast<std::int64_t>(below(500)), key, pos()});
        }
        builder.commit(SourcePos::make(r, 0), std::move(segment));
        RankEntry& entry = capture->ranks.emplace_back();
        entry.info.rankId = ids[r];
        entry.info.path = "rank" + std::to_string(r);
        entry.info.metadata = {{"key", "value" + std::to_string(r)}, {"other", "x"}};
        entry.steps = {{static_cast<std::int64_t>(r), TimeRange{{1000}, {1200}}},
                       {static_cast<std::int64_t>(r) + 1, std::nullopt}};
        entry.trace = builder.seal("random", capture->diagnostics, {}).value();
    }
    return capture;
}

/// Rows by chance of some kinds: few texts, so that they recur; times like those of randomCapture; cells that are
/// absent.
inline std::shared_ptr<const RowTables> randomRows(std::mt19937& random, std::size_t rows, bool ofCapture) {
    const auto below = [&random](std::size_t limit) { return static_cast<std::int64_t>(random() % limit); };
    const std::array<std::string, 8> texts{"a", "A", "aten::mm", "", "5", "x_y", "算子", "zz*"};
    RowTablesBuilder builder;
    for (std::size_t k = 0; k < kRowKinds; ++k) {
        const auto kind = static_cast<RowKind>(k);
        if ((kind == RowKind::CommGroup) != ofCapture) continue;
        const std::size_t metric = kind == RowKind::Kernel ? builder.extraColumn(kind, "aiv_time") : 0;
        RowBatch batch = builder.batch(kind);
        for (std::size_t i = 0; i < rows; ++i) {
            batch.addRow();
            if (metric != 0 && below(3) != 0) batch.setReal(metric, static_cast<double>(below(50)) / 4);
            for (std::size_t c = 0; c < rowColumns(kind).size(); ++c) {
                const RowColumn& column = rowColumns(kind)[c];
                if (column.name == "origin") batch.setText(c, "recorded");
                else if (column.name == "kind" && kind == RowKind::Kernel)
                    batch.setText(c, below(2) == 0 ? "compute" : "communication");
                else if (below(6) == 0) continue;
                else if (column.cell == RowCell::Text) batch.setText(c, texts[random() % texts.size()]);
                else if (column.cell == RowCell::Real) batch.setReal(c, static_cast<double>(below(1000)) / 8);
                else if (column.cell == RowCell::Slice) batch.setInteger(c, below(20));
                else batch.setInteger(c, column.name == "ts" ? 1000 + below(500) : below(8));
            }
        }
        builder.commit(batch);
    }
    return builder.seal({}).value();
}

/// The capture of randomCapture with rows of all summary tables, also computed ones, and a rank without a timeline.
inline std::shared_ptr<CaptureStore> randomTables(unsigned seed, std::size_t rowsPerTable) {
    auto capture = randomCapture(seed, 40);
    std::mt19937 random(seed);
    RankEntry& listed = capture->ranks.emplace_back();
    listed.info.rankId = 7;
    listed.info.path = "rank4";
    for (RankEntry& rank : capture->ranks) rank.rows = randomRows(random, rowsPerTable, false);
    capture->rows = randomRows(random, rowsPerTable, true);
    capture->diagnostics.add("unmatched_begin", Severity::Repaired, "rank0/trace_view.json", {PlaceUnit::Byte, 17});
    return capture;
}

/// A capture with one rank that holds this many slices on 20 tracks.
inline std::shared_ptr<CaptureStore> largeCapture(std::size_t slices) {
    TraceBuilder builder("large");
    TraceBuilder::Names names(builder);
    Segment segment;
    for (std::size_t i = 0; i < slices; ++i) {
        const auto begin = static_cast<std::int64_t>(i) * 100;
        segment.slices.add(names.thread("1", std::to_string(i % 20)), begin, 90,
                           names.text("name" + std::to_string(i * 7919 % 5000)), names.text("c"),
                           SourcePos::make(0, i * 200));
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    auto capture = std::make_shared<CaptureStore>();
    capture->state = CaptureStore::State::Ok;
    RankEntry& entry = capture->ranks.emplace_back();
    entry.info.rankId = 0;
    entry.trace = builder.seal("large", capture->diagnostics, {}).value();
    return capture;
}

}  // namespace altiscope::test
