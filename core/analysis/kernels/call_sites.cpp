#include "core/analysis/kernels/call_sites.h"

#include "core/analysis/slices/host_call.h"
#include "core/analysis/slices/slice_chain.h"
#include "core/analysis/support/cell_reader.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kKernelsOfCallPiece = 1024;
constexpr std::size_t kKernelsBetweenCallPolls = 64;

/// The slices of a call; kNoSlice where there is none.
struct Caller {
    SliceIndex op = kNoSlice, outer = kNoSlice, python = kNoSlice, program = kNoSlice, module = kNoSlice;

    bool isKnown() const { return op != kNoSlice || python != kNoSlice || module != kNoSlice; }
};

/// "main.py(375): train", as opposed to "torch/optim/sgd.py(55): step" and to what is no line.
bool isOfProgram(std::string_view frame) {
    static constexpr std::string_view kFrameworks[] = {"torch/",        "torch_npu/", "mindspore/",
                                                       "mindspore_gs/", "nn.Module",  "<"};
    if (frame.find(".py(") == std::string_view::npos || frame.find("site-packages/") != std::string_view::npos)
        return false;
    return std::none_of(std::begin(kFrameworks), std::end(kFrameworks),
                        [&](std::string_view framework) { return frame.starts_with(framework); });
}

/// @param forward  Of an operator of the backward pass gets the one of the forward pass.
Caller callerOf(const TraceStore& trace, SliceIndex slice, SliceIndex* forward) {
    Caller caller;
    if (hostCallOf(trace, slice) == HostCall::Operator) caller.op = slice;
    for (const ChainLink& link : causesOf(trace, slice)) {
        if (link.role == ChainRole::Operator) {
            if (caller.op == kNoSlice) caller.op = link.slice;
            else if (caller.python == kNoSlice && isLibraryOperator(trace.name(link.slice))) caller.outer = link.slice;
        } else if (link.role == ChainRole::Python && hostCallOf(trace, link.slice) != HostCall::BuiltIn) {
            SliceIndex& known = trace.name(link.slice).starts_with("nn.Module") ? caller.module : caller.python;
            if (known == kNoSlice) known = link.slice;
        } else if (link.role == ChainRole::Forward && forward != nullptr && *forward == kNoSlice) {
            *forward = link.slice;
        }
    }
    for (SliceIndex at = caller.python; at != kNoSlice && caller.program == kNoSlice; at = trace.parent(at)) {
        if (isOfProgram(trace.name(at))) caller.program = at;
    }
    if (caller.program == caller.python) caller.program = kNoSlice;
    return caller;
}

/// The backward pass runs on a thread without Python: its lines are those of the forward operator.
Caller callerOf(const TraceStore& trace, SliceIndex slice) {
    SliceIndex forward = kNoSlice;
    Caller caller = callerOf(trace, slice, &forward);
    if (caller.python != kNoSlice || forward == kNoSlice) return caller;
    const Caller of = callerOf(trace, forward, nullptr);
    caller.python = of.python;
    caller.program = of.program;
    if (caller.module == kNoSlice) caller.module = of.module;
    return caller;
}

using SiteKey = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, std::string_view>;

struct SiteSums {
    TotalTime time;
    SliceRef longest, caller;

    void add(const SiteSums& other) {
        if (time.count == 0 || other.time.max > time.max) {
            longest = other.longest;
            caller = other.caller;
        }
        if (other.time.count == 0) return;
        time.min = time.count == 0 ? other.time.min : std::min(time.min, other.time.min);
        time.max = time.count == 0 ? other.time.max : std::max(time.max, other.time.max);
        time.count += other.time.count;
        if (__builtin_add_overflow(time.total, other.time.total, &time.total))
            time.total = std::numeric_limits<std::int64_t>::max();
    }
};

struct PieceSites {
    std::map<SiteKey, SiteSums> sites;
    TotalTime unknown;
    std::uint64_t looked = 0;
};

PieceSites sitesOfPiece(const RankEntry& rank, const FilteredKernels& selected, const IndexPiece& piece,
                        std::uint64_t stride, std::uint64_t offset, const CancelToken& cancel) {
    PieceSites found;
    const RowTable& table = *rank.rows->find(RowKind::Kernel);
    CellReader slices(table, fixedColumn(RowKind::Kernel, "slice_id")),
        operators(table, fixedColumn(RowKind::Kernel, "operator_slice_id")),
        lengths(table, fixedColumn(RowKind::Kernel, "dur"));
    for (std::size_t i = piece.first; i < piece.last; ++i) {
        if ((offset + i) % stride != 0) continue;
        if (found.looked++ % kKernelsBetweenCallPolls == 0 && cancel.cancelled()) return found;
        const std::uint32_t row = selected.rows[i];
        const std::int64_t slice = slices.at(row), op = operators.at(row), length = lengths.at(row);
        const std::int64_t duration = length == kNoCell ? 0 : length;
        const auto indexOf = [](std::int64_t cell) {
            return cell == kNoCell ? kNoSlice : SliceIndex{static_cast<std::uint32_t>(cell)};
        };
        Caller caller;
        if (rank.trace != nullptr && slice != kNoCell) caller = callerOf(*rank.trace, indexOf(slice));
        // Readers know of some operators by other ways than flows.
        if (rank.trace != nullptr && caller.op == kNoSlice && op != kNoCell)
            caller = callerOf(*rank.trace, indexOf(op));
        if (!caller.isKnown()) {
            found.unknown.add(duration);
            continue;
        }
        const auto name = [&](SliceIndex of) { return of == kNoSlice ? std::string_view() : rank.trace->name(of); };
        SiteSums one;
        one.time.add(duration);
        one.longest = {selected.rank, slice == kNoCell ? indexOf(op) : indexOf(slice)};
        one.caller = {selected.rank, caller.python != kNoSlice ? caller.python
                                     : caller.op != kNoSlice   ? caller.op
                                                               : caller.module};
        found
            .sites[{name(caller.op), name(caller.outer), name(caller.python), name(caller.program),
                    name(caller.module)}]
            .add(one);
    }
    return found;
}

void addTotal(TotalTime& sum, const TotalTime& other) {
    SiteSums a{.time = sum, .longest = {}, .caller = {}};
    a.add({.time = other, .longest = {}, .caller = {}});
    sum = a.time;
}

}  // namespace

std::optional<CallSites> callSitesOf(const CaptureStore& capture, const std::vector<FilteredKernels>& kernels,
                                     std::uint64_t most, const CancelToken& cancel) {
    CallSites result;
    std::vector<std::uint64_t> before;
    for (const FilteredKernels& selected : kernels) {
        before.push_back(result.kernels);
        result.kernels += selected.rows.size();
    }
    const std::uint64_t stride =
        std::max<std::uint64_t>(1, (result.kernels + most - 1) / std::max<std::uint64_t>(1, most));
    const std::vector<IndexPiece> pieces = piecesOf(kernels, kKernelsOfCallPiece * static_cast<std::size_t>(stride));
    std::vector<PieceSites> found(pieces.size());
    parallelFor(pieces.size(), [&](std::size_t p) {
        const FilteredKernels& selected = kernels[pieces[p].part];
        if (!cancel.cancelled())
            found[p] = sitesOfPiece(capture.ranks[selected.rank.value], selected, pieces[p], stride,
                                    before[pieces[p].part], cancel);
    });
    if (cancel.cancelled()) return std::nullopt;
    std::map<SiteKey, SiteSums> all;
    for (const PieceSites& piece : found) {
        for (const auto& [key, sums] : piece.sites) all[key].add(sums);
        addTotal(result.unknown, piece.unknown);
        result.looked += piece.looked;
    }
    for (const auto& [key, sums] : all) {
        CallSite& site = result.sites.emplace_back();
        site.op = std::get<0>(key);
        site.outer = std::get<1>(key);
        site.python = std::get<2>(key);
        site.program = std::get<3>(key);
        site.module = std::get<4>(key);
        site.time = sums.time;
        site.longest = sums.longest;
        site.caller = sums.caller;
    }
    std::stable_sort(result.sites.begin(), result.sites.end(),
                     [](const CallSite& a, const CallSite& b) { return a.time.total > b.time.total; });
    return result;
}

std::optional<CallSite> callSiteOf(const TraceStore& trace, RankIndex rank, SliceIndex kernel) {
    const Caller caller = callerOf(trace, kernel);
    if (!caller.isKnown()) return std::nullopt;
    const auto name = [&](SliceIndex of) { return of == kNoSlice ? std::string() : std::string(trace.name(of)); };
    CallSite site;
    site.op = name(caller.op);
    site.outer = name(caller.outer);
    site.python = name(caller.python);
    site.program = name(caller.program);
    site.module = name(caller.module);
    site.longest = {rank, kernel};
    site.caller = {rank, caller.python != kNoSlice ? caller.python : caller.op != kNoSlice ? caller.op : caller.module};
    return site;
}

}  // namespace altiscope
