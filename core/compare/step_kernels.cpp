#include "core/compare/step_kernels.h"

#include "core/analysis/steps/kernel_devices.h"
#include "core/analysis/support/cell_reader.h"
#include "core/compare/measures.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kKernelsOfPoll = 4096;

/// How many kernels of a rank lie in a step, and how long they take.
struct StepSize {
    std::size_t kernels = 0;
    std::int64_t time = 0;
};

/// Walks over the kernels of a rank that are no collectives and lie in a step that is looked at.
/// @return False if cancelled.
template <class Body>
bool forKernelsOfSteps(const RankEntry& rank, const MeasuredPart& part, const CancelToken& cancel, Body body) {
    const RowTable& table = *rank.rows->find(RowKind::Kernel);
    CellReader steps(table, fixedColumn(RowKind::Kernel, "step")), lengths(table, fixedColumn(RowKind::Kernel, "dur")),
        kinds(table, fixedColumn(RowKind::Kernel, "kind"));
    const auto collective = rank.rows->texts().find("communication");
    const auto device = part.device(rank.info.rankId);
    std::optional<KernelDevices> devices;
    if (device) devices.emplace(rank);
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % kKernelsOfPoll == 0 && cancel.cancelled()) return false;
        const std::int64_t step = steps.at(row), length = lengths.at(row);
        if (length == kNoCell || (devices && devices->of(row) != device)) continue;
        if (collective && kinds.at(row) == collective->value) continue;
        const auto number = step == kNoCell ? std::nullopt : std::optional(step);
        if (part.step(number)) body(row, number, length);
    }
    return !cancel.cancelled();
}

using StepSizes = std::map<std::optional<std::int64_t>, StepSize>;

/// The step with the median time among those with the most common number of kernels; of equally common numbers the
/// largest.
std::optional<std::int64_t> representativeStep(const StepSizes& sizes) {
    std::map<std::size_t, std::size_t> howOften;
    for (const auto& [step, size] : sizes) ++howOften[size.kernels];
    std::pair<std::size_t, std::size_t> best;
    for (const auto& [kernels, count] : howOften) best = std::max(best, std::pair(count, kernels));
    std::vector<std::pair<std::int64_t, std::optional<std::int64_t>>> byTime;
    for (const auto& [step, size] : sizes)
        if (size.kernels == best.second) byTime.emplace_back(size.time, step);
    std::sort(byTime.begin(), byTime.end());
    return byTime[(byTime.size() - 1) / 2].second;
}

std::vector<StreamKernels> byStream(std::vector<StepKernel> kernels) {
    std::sort(kernels.begin(), kernels.end(), [](const StepKernel& a, const StepKernel& b) {
        return std::tie(a.stream, a.begin, a.row) < std::tie(b.stream, b.begin, b.row);
    });
    std::vector<StreamKernels> streams;
    for (StepKernel& kernel : kernels) {
        if (streams.empty() || streams.back().back().stream != kernel.stream) streams.emplace_back();
        streams.back().push_back(kernel);
    }
    std::stable_sort(streams.begin(), streams.end(),
                     [](const StreamKernels& a, const StreamKernels& b) { return a.size() > b.size(); });
    if (streams.size() <= OrderComparison::kMaxStreams) return streams;
    StreamKernels& last = streams[OrderComparison::kMaxStreams - 1];
    for (std::size_t i = OrderComparison::kMaxStreams; i < streams.size(); ++i)
        last.insert(last.end(), streams[i].begin(), streams[i].end());
    streams.resize(OrderComparison::kMaxStreams);
    return streams;
}

/// Joins the texts of kernels: long ones once, not for each kernel.
class KeyReader {
public:
    KeyReader(const RowTables& tables, const RowTable& table, KernelNumbers& numbers)
        : m_tables(tables), m_numbers(numbers), m_names(table, fixedColumn(RowKind::Kernel, "name")),
          m_types(table, fixedColumn(RowKind::Kernel, "type")),
          m_shapes(table, fixedColumn(RowKind::Kernel, "input_shapes")) {}

    struct Numbers {
        std::uint32_t key = 0, name = 0;
    };
    Numbers at(std::size_t row) {
        const Parts parts{m_names.at(row), m_numbers.texts.types ? m_types.at(row) : kNoCell,
                          m_numbers.texts.shapes ? m_shapes.at(row) : kNoCell};
        const auto [known, isNew] = m_known.try_emplace(parts);
        if (isNew) known->second = joined(parts);
        return known->second;
    }

private:
    using Parts = std::array<std::int64_t, 3>;

    Numbers joined(const Parts& parts) {
        Numbers numbers;
        std::string key;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (i > 0) key += " | ";
            if (parts[i] != kNoCell) key += m_tables.text(StringId{static_cast<std::uint32_t>(parts[i])});
            if (i == 1) numbers.name = m_numbers.names.number(key);
        }
        numbers.key = m_numbers.keys.number(key);
        return numbers;
    }

    const RowTables& m_tables;
    KernelNumbers& m_numbers;
    CellReader m_names, m_types, m_shapes;
    std::map<Parts, Numbers> m_known;
};

}  // namespace

std::uint32_t SharedNumbers::number(std::string_view text) {
    const auto [at, isNew] = m_numbers.try_emplace(std::string(text), static_cast<std::uint32_t>(m_texts.size()));
    if (isNew) m_texts.emplace_back(text);
    return at->second;
}

std::optional<RecordedTexts> recordedTexts(const ComparisonSide& side, const MeasuredPart& part, RankIndex rank,
                                           const CancelToken& cancel) {
    const RankEntry& entry = side.capture->ranks[rank.value];
    const RowTable& table = *entry.rows->find(RowKind::Kernel);
    CellReader types(table, fixedColumn(RowKind::Kernel, "type")),
        shapes(table, fixedColumn(RowKind::Kernel, "input_shapes"));
    RecordedTexts texts;
    const bool isRead = forKernelsOfSteps(entry, part, cancel, [&](std::size_t row, const auto&, std::int64_t) {
        texts.types = texts.types || types.at(row) != kNoCell;
        texts.shapes = texts.shapes || shapes.at(row) != kNoCell;
    });
    return isRead ? std::optional(texts) : std::nullopt;
}

std::optional<StepOrder> stepOrder(const ComparisonSide& side, const MeasuredPart& part, RankIndex rank,
                                   KernelNumbers& numbers, const CancelToken& cancel) {
    const RankEntry& entry = side.capture->ranks[rank.value];
    if (entry.rows == nullptr || entry.rows->find(RowKind::Kernel) == nullptr) return std::nullopt;
    StepSizes sizes;
    const bool isCounted =
        forKernelsOfSteps(entry, part, cancel, [&](std::size_t, std::optional<std::int64_t> step, std::int64_t length) {
            ++sizes[step].kernels;
            sizes[step].time += length;
        });
    if (!isCounted || sizes.empty()) return std::nullopt;
    StepOrder order;
    order.side.rankId = entry.info.rankId;
    order.side.rank = rank;
    order.side.step = representativeStep(sizes);
    const RowTable& table = *entry.rows->find(RowKind::Kernel);
    CellReader streams(table, fixedColumn(RowKind::Kernel, "stream")),
        begins(table, fixedColumn(RowKind::Kernel, "ts"));
    KeyReader keys(*entry.rows, table, numbers);
    std::vector<StepKernel> kernels;
    const bool isRead = forKernelsOfSteps(entry, part, cancel,
                                          [&](std::size_t row, std::optional<std::int64_t> step, std::int64_t length) {
                                              if (step != order.side.step) return;
                                              if (kernels.size() == OrderComparison::kMaxStepKernels) {
                                                  order.side.isCut = true;
                                                  return;
                                              }
                                              const auto [key, name] = keys.at(row);
                                              kernels.push_back({.key = key,
                                                                 .name = name,
                                                                 .stream = streams.at(row),
                                                                 .begin = begins.at(row),
                                                                 .length = length,
                                                                 .row = static_cast<std::uint32_t>(row)});
                                          });
    if (!isRead) return std::nullopt;
    order.side.kernels = kernels.size();
    order.streams = byStream(std::move(kernels));
    return order;
}

std::optional<SliceId> sliceOfKernel(const ComparisonSide& side, const OrderSide& of, const StepKernel& kernel) {
    const RankEntry& entry = side.capture->ranks[of.rank.value];
    if (entry.trace == nullptr) return std::nullopt;
    const auto slice = entry.rows->find(RowKind::Kernel)->integer(fixedColumn(RowKind::Kernel, "slice_id"), kernel.row);
    if (!slice || *slice < 0 || static_cast<std::uint64_t>(*slice) >= entry.trace->sliceCount()) return std::nullopt;
    return entry.trace->id(SliceIndex{static_cast<std::uint32_t>(*slice)});
}

}  // namespace altiscope
