#include "views/timeline/panels/kernel_facts.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace altiscope {

namespace {

constexpr RowKind kKernelRows = RowKind::Kernel;
/// Max kernels of a track that are looked at; no track runs more at a time.
constexpr std::uint32_t kMaxCandidates = 4;

struct KernelFactTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::SliceKernel)
};

std::optional<std::size_t> rowOfSlice(const RowTable& table, SliceIndex slice, const CancelToken& cancel) {
    constexpr std::size_t column = fixedColumn(kKernelRows, "slice_id");
    const std::int64_t wanted = slice.value;
    for (std::size_t first = 0; first < table.size() && !cancel.cancelled(); first += RowBlock::kBlock) {
        const RowBlock& block = table.block(column, first);
        if (block.nulls == RowBlock::Nulls::All || wanted < block.min || wanted > block.max) continue;
        const std::size_t after = std::min(first + RowBlock::kBlock, table.size());
        for (std::size_t row = first; row < after; ++row) {
            if (table.integer(column, row) == wanted) return row;
        }
    }
    return std::nullopt;
}

QStringList partsOf(const std::string& list) {
    QString text = toQString(list).trimmed();
    while (text.size() > 1 && text.startsWith(u'"') && text.endsWith(u'"')) text = text.sliced(1, text.size() - 2);
    return text.isEmpty() || text == QStringLiteral("N/A") ? QStringList() : text.split(u';');
}

QString metricText(const std::string& name, double value) {
    const QString known = toQString(name);
    if (known.endsWith(QStringLiteral("_time"))) return formatDuration(DurationNs{static_cast<std::int64_t>(value)});
    if (known.endsWith(QStringLiteral("ratio")) && value >= 0 && value <= 1) return formatPercent(value);
    return formatNumber(value);
}

std::string argumentOf(const SliceDetails& details, std::string_view key) {
    const auto found = std::find_if(details.arguments.begin(), details.arguments.end(),
                                    [key](const Argument& argument) { return argument.key == key; });
    return found == details.arguments.end() ? std::string() : found->text;
}

}  // namespace

std::optional<SliceKernel> kernelFactsOf(const RankEntry& rank, SliceIndex slice, const CancelToken& cancel) {
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(kKernelRows);
    const auto row = table == nullptr ? std::nullopt : rowOfSlice(*table, slice, cancel);
    if (!row) return std::nullopt;
    const auto text = [&](std::string_view column) {
        const auto id = table->text(rowColumn(kKernelRows, column), *row);
        return id ? std::string(rank.rows->text(*id)) : std::string();
    };
    const auto number = [&](std::string_view column) { return table->integer(rowColumn(kKernelRows, column), *row); };
    SliceKernel facts;
    facts.type = text("type");
    facts.core = text("accelerator_core");
    facts.step = number("step");
    facts.wait = number("wait");
    facts.blocks = number("block_num");
    facts.inputShapes = text("input_shapes");
    facts.inputTypes = text("input_types");
    facts.inputFormats = text("input_formats");
    facts.outputShapes = text("output_shapes");
    facts.outputTypes = text("output_types");
    facts.outputFormats = text("output_formats");
    const std::size_t first = rowColumns(kKernelRows).size();
    for (std::size_t i = 0; i < table->extras().size(); ++i) {
        if (const auto value = table->real(first + i, *row)) facts.metrics.emplace_back(table->extras()[i], *value);
    }
    return facts;
}

std::vector<QString> tensorTexts(const std::string& shapes, const std::string& types, const std::string& formats) {
    const QStringList lists[] = {partsOf(shapes), partsOf(types), partsOf(formats)};
    const qsizetype count = std::max({lists[0].size(), lists[1].size(), lists[2].size()});
    std::vector<QString> tensors;
    for (qsizetype i = 0; i < count; ++i) {
        QStringList parts;
        for (const QStringList& list : lists) {
            const QString part = i < list.size() ? list[i].trimmed() : QString();
            if (!part.isEmpty()) parts << part;
        }
        tensors.push_back(parts.isEmpty() ? KernelFactTexts::tr("none") : parts.join(QStringLiteral(" · ")));
    }
    return tensors;
}

std::vector<std::pair<QString, QString>> kernelLines(const SliceKernel& facts) {
    std::vector<std::pair<QString, QString>> lines;
    const auto add = [&lines](const QString& title, const QString& value) {
        if (!value.isEmpty()) lines.emplace_back(title, value);
    };
    const auto addTensors = [&add](const QString& title, const std::vector<QString>& tensors) {
        for (std::size_t i = 0; i < tensors.size(); ++i)
            add(tensors.size() == 1 ? title.arg(QString()).trimmed() : title.arg(i + 1), tensors[i]);
    };
    add(KernelFactTexts::tr("Type"), toQString(facts.type));
    add(KernelFactTexts::tr("Core"), toQString(facts.core));
    addTensors(KernelFactTexts::tr("Input %1"), tensorTexts(facts.inputShapes, facts.inputTypes, facts.inputFormats));
    addTensors(KernelFactTexts::tr("Output %1"),
               tensorTexts(facts.outputShapes, facts.outputTypes, facts.outputFormats));
    if (facts.blocks)
        add(KernelFactTexts::tr("Blocks"),
            formatCount(static_cast<std::uint64_t>(std::max<std::int64_t>(*facts.blocks, 0))));
    if (facts.wait) add(KernelFactTexts::tr("Wait"), formatDuration(DurationNs{*facts.wait}));
    if (facts.step) add(KernelFactTexts::tr("Step"), QString::number(*facts.step));
    for (const auto& [name, value] : facts.metrics) add(toQString(name), metricText(name, value));
    return lines;
}

std::optional<SliceIndex> collectiveOfTask(const CaptureStore& capture, const SliceDetails& details) {
    const TraceStore& trace = *capture.ranks[details.ref.rank.value].trace;
    if (trace.track(details.track).kind != TrackKind::Hardware) return std::nullopt;
    const std::string connection = argumentOf(details, "connection_id");
    if (connection.empty()) return std::nullopt;
    const TimeNs end = details.begin + details.duration;
    std::optional<SliceIndex> longest;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.track({t}).kind != TrackKind::Communication) continue;
        for (const DepthRun& run : trace.runs({t})) {
            std::uint32_t at = trace.firstEndingAfter(run, details.begin);
            const std::uint32_t after = std::min(run.first + run.count, at + kMaxCandidates);
            for (; at < after && trace.begin({at}) <= end; ++at) {
                // The tasks of a collective stand on such tracks as well: it is the longest of them all.
                if (longest && trace.duration({at}) <= trace.duration(*longest)) continue;
                if (argumentOf(describeSlice(capture, {details.ref.rank, {at}}), "connection_id") == connection)
                    longest = SliceIndex{at};
            }
        }
    }
    return longest;
}

}  // namespace altiscope
