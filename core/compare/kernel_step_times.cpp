#include "core/compare/kernel_step_times.h"

#include "core/analysis/support/cell_reader.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

constexpr std::uint32_t kNoKey = KernelSignature::kNoText;
constexpr std::size_t kRowsOfTimePiece = std::size_t{1} << 20, kRowsOfTimePoll = std::size_t{1} << 16;
constexpr std::size_t kLengthColumn = fixedColumn(RowKind::Kernel, "dur"),
                      kStepColumn = fixedColumn(RowKind::Kernel, "step");

/// Walks over the kernels of a piece that have a length and a step, with the step's place. @return False if cancelled.
template <class Body>
bool forTimedKernels(const KernelIndex& index, const IndexPiece& piece, const CancelToken& cancel, Body body) {
    const RowTable& table = index.table(piece.part);
    const FilteredRows& rows = index.selected()[piece.part].rows;
    CellReader lengths(table, kLengthColumn), steps(table, kStepColumn);
    const std::vector<std::int64_t>& known = index.steps();
    std::int64_t last = kNoCell;
    std::size_t place = 0;
    for (std::size_t i = piece.first; i < piece.last; ++i) {
        if (i % kRowsOfTimePoll == 0 && cancel.cancelled()) return false;
        const std::int64_t step = known.empty() ? kNoCell : steps.at(rows[i]);
        if (step == kNoCell && !known.empty()) continue;
        const std::int64_t length = lengths.at(rows[i]);
        if (length == kNoCell) continue;
        if (step != last) {
            place = static_cast<std::size_t>(std::lower_bound(known.begin(), known.end(), step) - known.begin());
            last = step;
        }
        body(i, place, length);
    }
    return !cancel.cancelled();
}

/// By part and step: whether it recorded any kernel.
std::vector<std::vector<bool>> recordedSteps(const KernelIndex& index, const std::vector<IndexPiece>& pieces,
                                             std::size_t steps, const CancelToken& cancel) {
    std::vector<std::vector<bool>> ofPieces(pieces.size());
    parallelFor(pieces.size(), [&](std::size_t p) {
        ofPieces[p].assign(steps, false);
        forTimedKernels(index, pieces[p], cancel,
                        [&](std::size_t, std::size_t step, std::int64_t) { ofPieces[p][step] = true; });
    });
    std::vector<std::vector<bool>> recorded(index.selected().size(), std::vector<bool>(steps, false));
    for (std::size_t p = 0; p < pieces.size(); ++p)
        for (std::size_t step = 0; step < steps; ++step)
            if (ofPieces[p][step]) recorded[pieces[p].part][step] = true;
    return recorded;
}

/// Sums of a piece by key.
struct PieceTimes {
    std::vector<double> weighted;  ///< Each kernel by the share of its rank in the mean of its step.
    std::vector<double> plain;     ///< Times of the part alone, where it is wanted.
};

std::vector<PieceTimes> timesOfPieces(const KernelGroups& groups, const std::vector<IndexPiece>& pieces,
                                      const std::vector<double>& weights, const CancelToken& cancel) {
    const KernelIndex& index = *groups.index;
    const bool byRank = groups.split == KernelSplit::Rank;
    std::vector<PieceTimes> times(pieces.size());
    parallelFor(pieces.size(), [&](std::size_t p) {
        PieceTimes& sums = times[p];
        sums.weighted.assign(groups.keys.size(), 0);
        if (byRank) sums.plain.assign(groups.keys.size(), 0);
        const auto signatures = index.signaturesOf(pieces[p].part);
        forTimedKernels(index, pieces[p], cancel, [&](std::size_t i, std::size_t step, std::int64_t length) {
            const std::uint32_t key = groups.keyOf[signatures[i]];
            if (key == kNoKey) return;
            sums.weighted[key] += static_cast<double>(length) * weights[step];
            if (byRank) sums.plain[key] += static_cast<double>(length);
        });
    });
    return times;
}

/// Texts of a key, so that those of two captures can be looked up.
std::string textOfKey(const KernelGroups& groups, std::uint32_t key) {
    const KernelSignature& of = groups.keys[key];
    std::string text;
    for (const std::uint32_t part : {of.name, of.type, of.core, of.shapes}) {
        text.append(groups.index->text(part));
        text.push_back('\0');
    }
    return text;
}

std::vector<double> timesOfGroups(const KernelGroups& groups, const std::vector<double>& ofKey,
                                  const std::vector<std::vector<double>>& ofParts,
                                  const std::vector<std::vector<bool>>& recorded, const std::vector<double>& weights) {
    const std::vector<std::int64_t>& steps = groups.index->steps();
    std::vector<double> ofGroup;
    ofGroup.reserve(groups.groups.size());
    for (const KernelGroup& group : groups.groups) {
        if (groups.split == KernelSplit::None) {
            ofGroup.push_back(ofKey[group.key]);
        } else if (groups.split == KernelSplit::Rank) {
            const auto count = std::count(recorded[group.part].begin(), recorded[group.part].end(), true);
            ofGroup.push_back(count == 0 ? 0 : ofParts[group.part][group.key] / static_cast<double>(count));
        } else {
            // Without a step it is in none, but where nothing has one.
            const auto total = static_cast<double>(group.time.total);
            if (!group.step) {
                ofGroup.push_back(steps.empty() ? total * weights.front() : 0);
                continue;
            }
            const auto at = std::lower_bound(steps.begin(), steps.end(), *group.step) - steps.begin();
            ofGroup.push_back(total * weights[static_cast<std::size_t>(at)]);
        }
    }
    return ofGroup;
}

}  // namespace

std::optional<KernelStepTimes> kernelStepTimes(const KernelGroups& groups, const CancelToken& cancel) {
    const KernelIndex& index = *groups.index;
    const std::size_t steps = std::max<std::size_t>(1, index.steps().size());
    const std::vector<IndexPiece> pieces = piecesOf(index.selected(), kRowsOfTimePiece);
    const auto recorded = recordedSteps(index, pieces, steps, cancel);
    if (cancel.cancelled()) return std::nullopt;
    std::vector<double> weights(steps, 0);
    KernelStepTimes times;
    for (std::size_t step = 0; step < steps; ++step) {
        const auto ranks =
            std::count_if(recorded.begin(), recorded.end(), [&](const auto& part) { return part[step]; });
        if (ranks == 0) continue;
        weights[step] = 1.0 / static_cast<double>(ranks);
        ++times.steps;
    }
    const std::vector<PieceTimes> ofPieces = timesOfPieces(groups, pieces, weights, cancel);
    if (cancel.cancelled()) return std::nullopt;
    times.ofKey.assign(groups.keys.size(), 0);
    std::vector<std::vector<double>> ofParts(groups.split == KernelSplit::Rank ? index.selected().size() : 0);
    // In the order of the rows, so that sums do not depend on the threads.
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        for (std::size_t key = 0; key < times.ofKey.size(); ++key) times.ofKey[key] += ofPieces[p].weighted[key];
        if (ofParts.empty()) continue;
        std::vector<double>& part = ofParts[pieces[p].part];
        part.resize(groups.keys.size(), 0);
        for (std::size_t key = 0; key < part.size(); ++key) part[key] += ofPieces[p].plain[key];
    }
    for (double& time : times.ofKey) time = times.steps == 0 ? 0 : time / static_cast<double>(times.steps);
    times.ofGroup = timesOfGroups(groups, times.ofKey, ofParts, recorded, weights);
    return times;
}

KernelChanges kernelChanges(const KernelSide& base, const KernelSide& current) {
    std::unordered_map<std::string, std::uint32_t> known;
    known.reserve(base.groups->keys.size());
    for (std::uint32_t key = 0; key < base.groups->keys.size(); ++key) known.emplace(textOfKey(*base.groups, key), key);
    KernelChanges changes;
    changes.baseSteps = base.times.steps;
    changes.currentSteps = current.times.steps;
    std::vector<double> beside(current.groups->keys.size(), 0);
    std::vector<bool> isShared(base.groups->keys.size(), false);
    for (std::uint32_t key = 0; key < beside.size(); ++key) {
        const auto found = known.find(textOfKey(*current.groups, key));
        if (found == known.end()) continue;
        isShared[found->second] = true;
        beside[key] = base.times.ofKey[found->second];
    }
    for (std::size_t group = 0; group < current.groups->groups.size(); ++group)
        changes.ofGroup.push_back(
            changeBetween(beside[current.groups->groups[group].key], current.times.ofGroup[group]));
    for (std::uint32_t key = 0; key < isShared.size(); ++key)
        if (!isShared[key] && base.times.ofKey[key] > 0)
            changes.gone.push_back({key, changeBetween(base.times.ofKey[key], 0)});
    std::stable_sort(changes.gone.begin(), changes.gone.end(),
                     [](const auto& a, const auto& b) { return a.change.base > b.change.base; });
    return changes;
}

}  // namespace altiscope
