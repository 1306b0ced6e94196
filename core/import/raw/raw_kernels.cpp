#include "core/import/raw/raw_collective_rows.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr auto kRawKernelRows = RowKind::Kernel;
constexpr std::size_t rawKernelColumn(std::string_view name) { return rowColumn(kRawKernelRows, name); }
constexpr std::array<std::size_t, 6> kRawLists{rawKernelColumn("input_shapes"),  rawKernelColumn("input_types"),
                                               rawKernelColumn("input_formats"), rawKernelColumn("output_shapes"),
                                               rawKernelColumn("output_types"),  rawKernelColumn("output_formats")};

/// Ids of the texts of the lists of tensors, made once for each of them; -1: there is none.
class TensorTexts {
public:
    using Ids = std::array<std::int64_t, 6>;
    const Ids& of(const RawHost& host, std::int64_t number, RowBatch& batch) {
        const auto [ids, isNew] = m_ids[&host].try_emplace(number);
        if (!isNew) return ids->second;
        const std::array<std::string, 6> texts = rawTensorTexts(host.tensors[static_cast<std::size_t>(number)]);
        for (std::size_t k = 0; k < texts.size(); ++k) ids->second[k] = texts[k].empty() ? -1 : batch.textId(texts[k]);
        return ids->second;
    }

private:
    std::unordered_map<const RawHost*, std::unordered_map<std::int64_t, Ids>> m_ids;
};

void setComputing(RowBatch& batch, const RawKernel& kernel, TensorTexts& tensors) {
    const RawHost& host = *kernel.host;
    const RawOp& op = host.ops[static_cast<std::size_t>(kernel.op)];
    batch.setText(rawKernelColumn("kind"), "compute");
    batch.setText(rawKernelColumn("name"), host.texts.text(op.name));
    if (op.hasDetails) batch.setText(rawKernelColumn("type"), host.texts.text(op.type));
    if (op.hasCore) batch.setText(rawKernelColumn("accelerator_core"), rawCoreName(op.core));
    batch.setInteger(rawKernelColumn("block_num"), op.blocks);
    if (op.tensors < 0) return;
    const TensorTexts::Ids& texts = tensors.of(host, op.tensors, batch);
    for (std::size_t k = 0; k < kRawLists.size(); ++k) {
        if (texts[k] >= 0) batch.setTextId(kRawLists[k], texts[k]);
    }
}

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
    void set(RowBatch& batch, const RawKernel& kernel) const {
        if (kernel.metrics == nullptr) return;
        for (std::size_t i = 0; i < std::min(m_columns.size(), kernel.metrics->values.size()); ++i) {
            if (std::isfinite(kernel.metrics->values[i])) batch.setReal(m_columns[i], kernel.metrics->values[i]);
        }
        const std::optional<double> use = m_use ? useOf(kernel) : std::nullopt;
        if (use) batch.setReal(*m_use, *use);
    }

private:
    /// Cycles of what the cores could have done meanwhile, in %, rounded on the way as the vendor's text is; nullopt:
    /// nothing says how many cores there are, or how fast they ran.
    static std::optional<double> useOf(const RawKernel& kernel) {
        const double cores =
            static_cast<double>(kernel.settings->cores) * (static_cast<double>(kernel.settings->coreHertz) / 1e6);
        const double us = static_cast<double>(kernel.times.duration) / 1000;
        if (cores <= 0) return std::nullopt;
        if (us <= 0) return 0.0;
        const double busy = std::round(kernel.metrics->coreCycles / cores * 100 * 1e6) / 1e6;
        return std::round(busy / us * 1000) / 1000;
    }

    std::vector<std::size_t> m_columns;
    std::optional<std::size_t> m_use;
};

void setCollective(RowBatch& batch, const RawKernel& kernel) {
    const RawCollective& collective = kernel.host->collectives[kernel.collective->collective];
    batch.setText(rawKernelColumn("kind"), "communication");
    batch.setText(rawKernelColumn("name"), kernel.collective->name);
    if (collective.hasType) batch.setText(rawKernelColumn("type"), kernel.host->texts.text(collective.type));
    batch.setText(rawKernelColumn("accelerator_core"), "COMMUNICATION");
    batch.setInteger(rawKernelColumn("block_num"), 0);
}

}  // namespace

void addRawKernels(RawSink& sink, const std::vector<Step>& steps, bool isFramework) {
    std::vector<RawKernel>& kernels = sink.kernels;
    std::stable_sort(kernels.begin(), kernels.end(), [](const RawKernel& a, const RawKernel& b) {
        return std::tie(a.times.device, a.times.begin) < std::tie(b.times.device, b.times.begin);
    });
    std::vector<DbKernel> times;
    times.reserve(kernels.size());
    for (const RawKernel& kernel : kernels) times.push_back(kernel.times);
    const std::vector<std::int64_t> waits = waitsOfKernels(times, true),
                                    stepNumbers = stepsOfKernels(times, sink.launches, steps);
    const MetricColumns columns(sink);
    RowBatch batch = sink.import.rows->batch(kRawKernelRows);
    TensorTexts tensors;
    std::vector<RawCollectiveFacts> collectives;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        static constexpr std::size_t kBetweenLooks = 1024;
        if (i % kBetweenLooks == 0 && sink.import.cancel.cancelled()) return;
        const RawKernel& kernel = kernels[i];
        batch.addRow();
        if (stepNumbers[i] != kNoCell) batch.setInteger(rawKernelColumn("step"), stepNumbers[i]);
        if (kernel.times.stream != kNoCell) batch.setInteger(rawKernelColumn("stream"), kernel.times.stream);
        batch.setInteger(rawKernelColumn("ts"), kernel.times.begin);
        batch.setInteger(rawKernelColumn("dur"), kernel.times.duration);
        batch.setInteger(rawKernelColumn("wait"), waits[i]);
        batch.setInteger(rawKernelColumn("device_id"), kernel.times.device);
        if (kernel.collective == nullptr) {
            setComputing(batch, kernel, tensors);
            columns.set(batch, kernel);
            continue;
        }
        setCollective(batch, kernel);
        RawCollectiveFacts& facts = collectives.emplace_back();
        facts.run = kernel.collective;
        facts.times = rawCollectiveTimes(*kernel.host, *kernel.collective);
        facts.group = kernel.host->texts.text(kernel.collective->group);
        // A single step holds all of them.
        facts.step = steps.size() == 1 ? steps.front().number : stepNumbers[i];
    }
    sink.import.rows->commit(batch);
    sink.rows += kernels.size();
    addRawCollectives(collectives, isFramework, *sink.import.rows);
}

}  // namespace altiscope::reader
