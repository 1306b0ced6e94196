#include "core/analysis/kernels/kernel_classes.h"

#include "core/analysis/slices/task_owners.h"
#include "core/analysis/support/cell_reader.h"
#include "core/base/text/ascii.h"
#include "core/store/rows/row_table.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace altiscope {

namespace {

bool holdsAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// What the name of a call says.
struct NameClass {
    KernelWork work = KernelWork::Other;
    bool isBackward = false;
};

/// Tells cubes from vectors by what was recorded of a kernel.
class CubeColumns {
public:
    explicit CubeColumns(const RowTable& table) : m_table(table) {
        const std::size_t first = rowColumns(RowKind::Kernel).size();
        for (std::size_t i = 0; i < table.extras().size(); ++i) {
            const std::string_view name = table.extras()[i];
            if (name.starts_with("aic_mac_time") || name.starts_with("mac_time") || name.starts_with("aic_mac_ratio") ||
                name.starts_with("mac_ratio"))
                m_columns.push_back(first + i);
        }
    }
    KernelPart of(std::size_t row, std::string_view core) const {
        if (core == "AI_VECTOR_CORE") return KernelPart::Vector;
        if (core != "AI_CORE" && !core.starts_with("MIX")) return KernelPart::Unknown;
        bool isKnown = false;
        for (const std::size_t column : m_columns) {
            const auto value = m_table.real(column, row);
            isKnown = isKnown || value.has_value();
            if (value.value_or(0) > 0) return KernelPart::Cube;
        }
        if (isKnown) return KernelPart::Vector;
        return core == "MIX_AIV" ? KernelPart::Vector : KernelPart::Cube;
    }

private:
    const RowTable& m_table;
    std::vector<std::size_t> m_columns;
};

/// The calls of a rank by what their names say and what leads to them.
class CallClasses {
public:
    CallClasses(const TraceStore& trace, const CancelToken& cancel) : m_trace(trace), m_isKnown(trace.texts().size()) {
        m_names.resize(m_isKnown.size());
        std::vector<bool> isMeant;
        for (const Track& track : trace.tracks()) isMeant.push_back(track.kind == TrackKind::Python);
        m_owners = ownedTasks(trace, isMeant, cancel);
        const auto category = trace.texts().find("fwdbwd");
        const TraceColumns& columns = trace.columns();
        for (std::size_t flow = 0; category && flow < trace.flowCount(); ++flow) {
            if (columns.flowCategory[flow] == *category && columns.flowTo[flow] != kNoSlice.value)
                m_backward.push_back(columns.flowTo[flow]);
        }
        std::sort(m_backward.begin(), m_backward.end());
    }

    /// The call that launched a kernel; kNoSlice if nothing states it.
    SliceIndex ownerOf(SliceIndex kernel) const {
        const auto found = std::lower_bound(m_owners.begin(), m_owners.end(), kernel,
                                            [](const OwnedTask& task, SliceIndex at) { return task.task < at; });
        return found != m_owners.end() && found->task == kernel ? found->call : kNoSlice;
    }

    NameClass around(SliceIndex call) {
        NameClass all;
        for (SliceIndex at = call; at != kNoSlice; at = m_trace.parent(at)) {
            const NameClass& own = ofName(m_trace.nameId(at));
            // The outermost one is what the others are for.
            if (own.work != KernelWork::Other) all.work = own.work;
            all.isBackward =
                all.isBackward || own.isBackward || std::binary_search(m_backward.begin(), m_backward.end(), at.value);
        }
        return all;
    }

private:
    const NameClass& ofName(StringId id) {
        NameClass& of = m_names[id.value];
        if (!m_isKnown[id.value]) {
            m_isKnown[id.value] = true;
            const std::string_view name = m_trace.text(id);
            // Lines of Python are no operators: "conv.py(460): backward".
            if (name.find(".py(") == std::string_view::npos && !name.starts_with("<built-in"))
                of = {workOfOperator(name), isBackwardName(name)};
        }
        return of;
    }

    const TraceStore& m_trace;
    std::vector<OwnedTask> m_owners;        // by task
    std::vector<std::uint32_t> m_backward;  // calls that follow from a forward one, ascending
    std::vector<bool> m_isKnown;
    std::vector<NameClass> m_names;  // by text of the trace
};

bool isFormatType(std::string_view type) {
    const std::string lower = asciiLower(type);
    return lower.starts_with("cast") || lower.starts_with("transdata") || lower.starts_with("transpose");
}

KernelClass kernelClassOf(std::string_view name, std::string_view type, KernelPart part, bool hasCall, NameClass call) {
    const std::string lowerName = asciiLower(name), lowerType = asciiLower(type);
    if (lowerType.find("pagedattention") != std::string::npos)
        return {KernelWork::PagedAttention, KernelPass::Unknown, KernelPart::Unknown};
    if (lowerName.starts_with("aclnninplacecopy") && holdsAny(lowerName + lowerType, {"tensormove"}))
        return {KernelWork::TensorMove, KernelPass::Unknown, KernelPart::Unknown};
    KernelWork work = call.work;
    if (work == KernelWork::Other) work = workOfType(type.empty() ? name : type);
    if (work == KernelWork::FlashAttention || work == KernelWork::Convolution || work == KernelWork::Matmul) {
        const bool isBackward = call.isBackward || isBackwardName(type) || (!hasCall && isBackwardName(name));
        return {work, isBackward ? KernelPass::Backward : KernelPass::Forward, part};
    }
    switch (part) {
    case KernelPart::Cube: return {KernelWork::Cube, KernelPass::Unknown, KernelPart::Unknown};
    case KernelPart::Vector:
    case KernelPart::Format:
        return {KernelWork::Vector, KernelPass::Unknown,
                isFormatType(type.empty() ? name : type) ? KernelPart::Format : KernelPart::Vector};
    case KernelPart::Unknown: break;
    }
    return {};
}

}  // namespace

KernelWork workOfOperator(std::string_view name) {
    const std::string lower = asciiLower(name);
    if (holdsAny(lower, {"flash_attention", "fusion_attention", "flashattn", "xformers_flash", "efficient_attention",
                         "flash2attn", "flashattention", "fusionattention"}))
        return KernelWork::FlashAttention;
    const std::size_t space = lower.find("::");
    if (space == std::string::npos) return KernelWork::Other;
    std::string_view own = std::string_view(lower).substr(space + 2);
    while (own.starts_with('_')) own.remove_prefix(1);
    if (own.starts_with("conv") && (own.size() == 4 || holdsAny(own, {"conv1d", "conv2d", "conv3d", "convolution",
                                                                      "conv_transpose", "conv_tbc", "conv_depthwise"})))
        return KernelWork::Convolution;
    static constexpr std::array<std::string_view, 11> kProducts = {
        "mm",     "bmm",   "addmm", "baddbmm",         "addbmm",         "matmul",
        "linear", "addmv", "mv",    "matmul_backward", "linear_backward"};
    for (const std::string_view product : kProducts) {
        if (own == product) return KernelWork::Matmul;
    }
    return KernelWork::Other;
}

KernelWork workOfType(std::string_view type) {
    const std::string lower = asciiLower(type);
    if (holdsAny(lower, {"flashattention", "fusedinferattention", "promptflashattention", "increflashattention"}))
        return KernelWork::FlashAttention;
    if (lower.starts_with("conv")) return KernelWork::Convolution;
    return lower.find("matmul") != std::string::npos ? KernelWork::Matmul : KernelWork::Other;
}

bool isBackwardName(std::string_view name) {
    const std::string lower = asciiLower(name);
    if (holdsAny(lower, {"backward", "backprop", "_bwd", "bwd_"})) return true;
    // "Grad" as a word of its own: small letters before or none behind.
    for (std::size_t at = name.find("Grad"); at != std::string_view::npos; at = name.find("Grad", at + 1)) {
        const std::size_t after = at + 4;
        if (after == name.size() || name[after] < 'a' || name[after] > 'z') return true;
    }
    return lower.ends_with("_grad");
}

KernelClasses::KernelClasses(const RankEntry& rank, const CancelToken& cancel) {
    const RowTables& tables = *rank.rows;
    const RowTable& table = *tables.find(RowKind::Kernel);
    m_classes.resize(table.size());
    std::optional<CallClasses> calls;
    if (rank.trace != nullptr) calls.emplace(*rank.trace, cancel);
    const CubeColumns cubes(table);
    CellReader slices(table, fixedColumn(RowKind::Kernel, "slice_id")),
        operators(table, fixedColumn(RowKind::Kernel, "operator_slice_id")),
        names(table, fixedColumn(RowKind::Kernel, "name")), types(table, fixedColumn(RowKind::Kernel, "type")),
        cores(table, fixedColumn(RowKind::Kernel, "accelerator_core"));
    const auto text = [&](std::int64_t cell) {
        return cell == kNoCell ? std::string_view() : tables.text({static_cast<std::uint32_t>(cell)});
    };
    constexpr std::size_t kRowsBetweenPolls = 4096;
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        SliceIndex call = kNoSlice;
        if (calls) {
            const std::int64_t slice = slices.at(row), op = operators.at(row);
            if (slice != kNoCell) call = calls->ownerOf({static_cast<std::uint32_t>(slice)});
            // Readers know of some operators by other ways than flows.
            if (call == kNoSlice && op != kNoCell) call = {static_cast<std::uint32_t>(op)};
        }
        m_classes[row] = kernelClassOf(text(names.at(row)), text(types.at(row)), cubes.of(row, text(cores.at(row))),
                                       call != kNoSlice, call == kNoSlice ? NameClass() : calls->around(call));
    }
}

}  // namespace altiscope
