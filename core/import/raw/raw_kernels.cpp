#include "core/base/columns/keyed_sort.h"
#include "core/base/threads/parallel.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw_host/raw_collective_rows.h"
#include "core/import/raw_records/raw_tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr auto kRawKernelRows = RowKind::Kernel;
consteval std::size_t rawKernelColumn(std::string_view name) { return rowColumn(kRawKernelRows, name); }
constexpr std::array<std::size_t, 6> kRawLists{rawKernelColumn("input_shapes"),  rawKernelColumn("input_types"),
                                               rawKernelColumn("input_formats"), rawKernelColumn("output_shapes"),
                                               rawKernelColumn("output_types"),  rawKernelColumn("output_formats")};

/// The further columns of `kernel`.
class MetricColumns {
public:
    explicit MetricColumns(RawSink& sink) {
        if (!sink.metricNames) return;
        const auto add = [&](const std::string& name) {
            m_columns.push_back(sink.import.rows->extraColumn(kRawKernelRows, name));
        };
        for (const std::string& name : sink.metricNames->core) add(name);
        for (const std::string& name : sink.metricNames->vector) add(name);
        if (sink.metricNames->hasUse) m_use = sink.import.rows->extraColumn(kRawKernelRows, "cube_utilization");
    }
    /// @param values  Room for them.
    void set(RowBatch& batch, const RawKernel& kernel, std::vector<double>& values) const {
        if (kernel.metrics == RawKernel::kNone) return;
        kernel.of->metrics->values(kernel.metrics, values);
        for (std::size_t i = 0; i < std::min(m_columns.size(), values.size()); ++i) {
            if (std::isfinite(values[i])) batch.setReal(m_columns[i], values[i]);
        }
        const std::optional<double> use = m_use ? useOf(kernel) : std::nullopt;
        if (use) batch.setReal(*m_use, *use);
    }

private:
    /// Cycles of what the cores could have done meanwhile, in %, rounded on the way as the vendor's text is; nullopt:
    /// nothing says how many cores there are, or how fast they ran.
    static std::optional<double> useOf(const RawKernel& kernel) {
        const RawSettings& settings = *kernel.of->settings;
        const double cores = static_cast<double>(settings.cores) * (static_cast<double>(settings.coreHertz) / 1e6);
        const double us = static_cast<double>(kernel.duration) / 1000;
        if (cores <= 0) return std::nullopt;
        if (us <= 0) return 0.0;
        const double busy = std::round(kernel.of->metrics->coreCycles(kernel.metrics) / cores * 100 * 1e6) / 1e6;
        return std::round(busy / us * 1000) / 1000;
    }

    std::vector<std::size_t> m_columns;
    std::optional<std::size_t> m_use;
};

/// Some rows of `kernel`, one after the other. One worker's: has ids of texts of its own, made once for each.
class RawKernelRows {
public:
    RawKernelRows(RowTablesBuilder& rows, const MetricColumns& metrics)
        : m_batch(rows.batch(kRawKernelRows)), m_metrics(metrics), m_compute(m_batch.textId("compute")),
          m_communication(m_batch.textId("communication")), m_communicationCore(m_batch.textId("COMMUNICATION")) {}

    void add(const RawKernel& kernel, std::int64_t step, std::int64_t wait) {
        m_batch.addRow();
        if (step != kNoCell) m_batch.setInteger(rawKernelColumn("step"), step);
        if (kernel.stream != RawKernel::kNone) m_batch.setInteger(rawKernelColumn("stream"), kernel.stream);
        m_batch.setInteger(rawKernelColumn("ts"), kernel.begin);
        m_batch.setInteger(rawKernelColumn("dur"), kernel.duration);
        m_batch.setInteger(rawKernelColumn("wait"), wait);
        m_batch.setInteger(rawKernelColumn("device_id"), kernel.of->device);
        if (m_host != kernel.of->host) {
            m_host = kernel.of->host;
            m_texts.clear();
            m_tensors.clear();
        }
        if (kernel.collective != nullptr) return setCollective(kernel);
        setComputing(kernel);
        m_metrics.set(m_batch, kernel, m_values);
    }
    RowTablesBuilder::Packed pack() { return RowTablesBuilder::pack(m_batch); }

private:
    using TensorTexts = std::array<std::int64_t, 6>;

    std::int64_t textOf(std::uint64_t hash) {
        const auto [id, isNew] = m_texts.try_emplace(hash, 0);
        if (isNew) id->second = m_batch.textId(m_host->texts.text(hash, m_scratch));
        return id->second;
    }
    /// Ids of the texts of a list of tensors; -1: there is none.
    const TensorTexts& tensorTexts(std::int64_t number) {
        const auto [ids, isNew] = m_tensors.try_emplace(number);
        if (!isNew) return ids->second;
        const std::array<std::string, 6> texts = rawTensorTexts(m_host->tensors[static_cast<std::size_t>(number)]);
        for (std::size_t k = 0; k < texts.size(); ++k)
            ids->second[k] = texts[k].empty() ? -1 : m_batch.textId(texts[k]);
        return ids->second;
    }
    void setComputing(const RawKernel& kernel) {
        const RawOp& op = m_host->ops[kernel.op];
        m_batch.setTextId(rawKernelColumn("kind"), m_compute);
        m_batch.setTextId(rawKernelColumn("name"), textOf(op.name));
        if (op.hasDetails) m_batch.setTextId(rawKernelColumn("type"), textOf(op.type));
        if (op.hasCore) {
            const auto [core, isNew] = m_cores.try_emplace(op.core, 0);
            if (isNew) core->second = m_batch.textId(rawCoreName(op.core));
            m_batch.setTextId(rawKernelColumn("accelerator_core"), core->second);
        }
        m_batch.setInteger(rawKernelColumn("block_num"), op.blocks);
        if (op.tensors < 0) return;
        const TensorTexts& texts = tensorTexts(op.tensors);
        for (std::size_t k = 0; k < kRawLists.size(); ++k) {
            if (texts[k] >= 0) m_batch.setTextId(kRawLists[k], texts[k]);
        }
    }
    void setCollective(const RawKernel& kernel) {
        const RawCollective& collective = m_host->collectives[kernel.collective->collective];
        m_batch.setTextId(rawKernelColumn("kind"), m_communication);
        m_batch.setText(rawKernelColumn("name"), kernel.collective->name);
        if (collective.hasType) m_batch.setTextId(rawKernelColumn("type"), textOf(collective.type));
        m_batch.setTextId(rawKernelColumn("accelerator_core"), m_communicationCore);
        m_batch.setInteger(rawKernelColumn("block_num"), 0);
    }

    RowBatch m_batch;
    const MetricColumns& m_metrics;
    const std::int64_t m_compute, m_communication, m_communicationCore;
    const RawHost* m_host = nullptr;
    std::unordered_map<std::uint64_t, std::int64_t> m_texts;
    std::unordered_map<std::int64_t, TensorTexts> m_tensors;
    std::unordered_map<std::uint32_t, std::int64_t> m_cores;
    std::vector<double> m_values;
    std::string m_scratch;
};

/// By device, then begin.
std::vector<KeyedNumber> sortedRawKernels(const std::vector<RawKernel>& kernels, const CancelToken& cancel) {
    std::vector<KeyedNumber> order = sortedNumbers(
        kernels.size(), [&](std::size_t i) { return sortKeyOf(kernels[i].begin); }, cancel);
    for (KeyedNumber& one : order) one.key = sortKeyOf(kernels[one.number].of->device);
    sortByKey(order, cancel);
    return order;
}

}  // namespace

void addRawKernels(RawSink& sink, const std::vector<Step>& steps, bool isFramework) {
    static constexpr std::size_t kRowsOfPart = std::size_t{16} << 10, kBetweenLooks = 1024;
    const CancelToken& cancel = sink.import.cancel;
    const std::vector<RawKernel>& kernels = sink.kernels;
    const std::vector<KeyedNumber> order = sortedRawKernels(kernels, cancel);
    std::vector<DbKernel> times;
    times.reserve(kernels.size());
    for (const KeyedNumber& one : order) {
        const RawKernel& kernel = kernels[one.number];
        times.push_back({kernel.begin, kernel.duration, kernel.of->device, kNoCell, kernel.connection, kNoCell, 0, 0});
    }
    const std::vector<std::int64_t> waits = waitsOfKernels(times, true),
                                    stepNumbers = stepsOfKernels(times, std::move(sink.launches), steps);
    std::vector<DbKernel>().swap(times);
    if (cancel.cancelled()) return;
    const MetricColumns columns(sink);
    std::vector<RowTablesBuilder::Packed> parts((kernels.size() + kRowsOfPart - 1) / kRowsOfPart);
    std::vector<std::size_t> firstOfPart(parts.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (i % kRowsOfPart == 0) firstOfPart[i / kRowsOfPart] = count;
        if (kernels[order[i].number].collective != nullptr) ++count;
    }
    std::vector<RawCollectiveFacts> collectives(count);
    parallelFor(parts.size(), [&](std::size_t part) {
        RawKernelRows rows(*sink.import.rows, columns);
        std::size_t next = firstOfPart[part];
        for (std::size_t i = part * kRowsOfPart; i < std::min(kernels.size(), (part + 1) * kRowsOfPart); ++i) {
            if (i % kBetweenLooks == 0 && cancel.cancelled()) return;
            const RawKernel& kernel = kernels[order[i].number];
            rows.add(kernel, stepNumbers[i], waits[i]);
            if (kernel.collective == nullptr) continue;
            RawCollectiveFacts& one = collectives[next++];
            one.run = kernel.collective;
            one.times = rawCollectiveTimes(*kernel.of->host, *kernel.collective);
            one.group = kernel.of->host->texts.text(kernel.collective->group);
            // A single step holds all of them.
            one.step = steps.size() == 1 ? steps.front().number : stepNumbers[i];
        }
        parts[part] = rows.pack();
    });
    if (cancel.cancelled()) return;
    for (RowTablesBuilder::Packed& part : parts) sink.import.rows->append(std::move(part));
    sink.rows += kernels.size();
    addRawCollectives(collectives, isFramework, *sink.import.rows);
}

}  // namespace altiscope::reader
