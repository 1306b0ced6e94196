#include "views/snapshot/data/loaded_snapshot.h"

#include "core/analysis/snapshot/memory_shortage.h"
#include "core/base/text/text.h"
#include "core/session/reading/rank_snapshots.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/rank_texts.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

struct SnapshotTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::SnapshotTexts)
};

bool hasSnapshot(const RankEntry& rank) {
    return rank.rows != nullptr &&
           (rank.rows->find(RowKind::SnapshotEvent) != nullptr || rank.rows->find(RowKind::SnapshotBlock) != nullptr);
}

/// Whether a rank has no number, and is called after its snapshot.
bool isSnapshotAlone(const RankEntry& rank) { return !rank.info.rankId && hasSnapshot(rank) && rank.trace == nullptr; }

/// Whether an entry is a failed request: no other text of a snapshot is that word alone.
bool hasFailedRequest(const RankEntry& rank) { return rank.rows->texts().find("oom").has_value(); }

/// As the ranks are, but of snapshots without a rank's number those first that people look for.
std::vector<RankIndex> ranksInOrder(const CaptureStore& store) {
    std::vector<RankIndex> ranks;
    std::vector<std::pair<bool, RankIndex>> alone;
    for (RankIndex i; i.value < store.ranks.size(); ++i.value) {
        if (isSnapshotAlone(store.ranks[i.value])) alone.emplace_back(false, i);
        else ranks.push_back(i);
    }
    if (alone.size() > 1)
        for (auto& [isFailed, rank] : alone) isFailed = hasFailedRequest(store.ranks[rank.value]);
    std::stable_sort(alone.begin(), alone.end(), [&](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first;
        return naturalCompare(store.ranks[a.second.value].info.path, store.ranks[b.second.value].info.path) > 0;
    });
    std::vector<RankIndex> all;
    for (const auto& [isFailed, rank] : alone) all.push_back(rank);
    all.insert(all.end(), ranks.begin(), ranks.end());
    return all;
}

/// A file without the folder of its rank.
QString snapshotName(const RankInfo& rank, const std::string& file) {
    const std::string folder = rank.path + '/';
    return toQString(file.starts_with(folder) ? file.substr(folder.size()) : file);
}

}  // namespace

std::vector<SnapshotChoice> snapshotChoices(CaptureId capture, const CaptureStore& store,
                                            const ContextFilter& context) {
    std::vector<SnapshotChoice> choices;
    const auto files = snapshotFiles(store);
    for (const RankIndex i : ranksInOrder(store)) {
        const RankEntry& rank = store.ranks[i.value];
        if (!context.holds(rank.info) || !hasSnapshot(rank)) continue;
        const auto& names = files[i.value];
        const auto devices = snapshotDevices(*rank.rows);
        const auto add = [&](const SnapshotRows& device, const std::string& file, const QString& name) {
            const QString of = rankTitle(rank.info);
            const QString title = device.device == kSnapshotHost
                                      ? SnapshotTexts::tr("%1, host memory", "rank").arg(of)
                                      : SnapshotTexts::tr("%1, NPU %2", "rank, device").arg(of).arg(device.device);
            choices.push_back(
                {capture, i, device, rank.rows, name.isEmpty() ? title : title + u" · "_s + name, file, store.path});
        };
        for (const SnapshotRows& device : devices)
            add(device, {}, names.empty() ? QString() : snapshotName(rank.info, names.front()));
        for (std::size_t n = 1; n < names.size(); ++n)
            for (const SnapshotRows& device : devices)
                add({.device = device.device}, names[n], snapshotName(rank.info, names[n]));
    }
    return choices;
}

namespace {

/// The rows that a choice means, read if they are not yet, and within them its device.
Result<SnapshotChoice> readChoice(SnapshotChoice choice, ProgressSlot* progress, const CancelToken& cancel) {
    if (choice.file.empty()) return choice;
    ProgressSlot none;
    auto rows = readSnapshotFile(choice.folder, choice.file, progress == nullptr ? none : *progress, cancel);
    if (!rows.ok()) return rows.as<SnapshotChoice>();
    choice.rows = std::move(rows).value();
    const auto devices = snapshotDevices(*choice.rows);
    const auto same = std::find_if(devices.begin(), devices.end(),
                                   [&](const SnapshotRows& one) { return one.device == choice.device.device; });
    if (same != devices.end()) choice.device = *same;
    else if (!devices.empty()) choice.device = devices.front();
    return choice;
}

}  // namespace

std::shared_ptr<const LoadedSnapshot> loadSnapshot(const SnapshotChoice& choice, ProgressSlot* progress,
                                                   const CancelToken& cancel) {
    auto loaded = std::make_shared<LoadedSnapshot>();
    loaded->choice = choice;
    const auto read = readChoice(choice, progress, cancel);
    if (read.failed()) {
        loaded->error = read.error();
        return loaded;
    }
    if (!read.ok()) return nullptr;
    if (progress != nullptr) progress->setPhase(ProgressPhase::Reading);
    loaded->device = deviceSnapshot(read.value().rows, read.value().device.device, progress, cancel);
    if (loaded->device == nullptr) return nullptr;
    if (progress != nullptr) progress->setPhase(ProgressPhase::Sealing);
    loaded->curve = SnapshotCurve::make(loaded->device, cancel);
    if (loaded->curve == nullptr) return nullptr;
    loaded->index = BlockIndex::make(loaded->curve, cancel);
    loaded->pool = PoolHistory::make(loaded->device, cancel);
    loaded->frames = StackFrames::make(loaded->device, cancel);
    if (loaded->index == nullptr || loaded->pool == nullptr || loaded->frames == nullptr) return nullptr;
    loaded->failures = failedRequests(*loaded->device, cancel);
    loaded->peak = loaded->curve->peak();
    return cancel.cancelled() ? nullptr : loaded;
}

QStringList snapshotGaps(const CaptureStore& store, const ContextFilter& context) {
    QStringList gaps;
    std::vector<const RankInfo*> all, without;
    for (const RankEntry& rank : store.ranks) {
        all.push_back(&rank.info);
        if (context.holds(rank.info) && !hasSnapshot(rank)) without.push_back(&rank.info);
    }
    if (without.empty()) return gaps;
    gaps << SnapshotTexts::tr("No memory snapshot: %1.").arg(rankNames(without, all));
    gaps << SnapshotTexts::tr(
        "torch_npu writes one with torch.npu.memory._record_memory_history() at the start of the program and "
        "torch.npu.memory._dump_snapshot(\"snapshot.pickle\") later (on GPUs torch.cuda.memory), MindSpeed-MM with "
        "memory_profile in tool.json. Open the file, or put it into the folder of its rank.");
    return gaps;
}

QString addressText(std::int64_t address) { return address == kNoCell ? u"–"_s : formatAddress(address); }

QString bytesText(std::int64_t bytes) {
    const auto size =
        bytes < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(bytes) : static_cast<std::uint64_t>(bytes);
    return (bytes < 0 ? u"-"_s : QString()) + formatBytes(size);
}

QString exactBytesText(std::int64_t bytes) {
    if (bytes < 1024) return bytesText(bytes);
    return bytesText(bytes) + u" ("_s + formatExactBytes(static_cast<std::uint64_t>(bytes)) + u')';
}

QString eventText(EventNumber event) {
    if (event < 0) return SnapshotTexts::tr("Before the history");
    return SnapshotTexts::tr("Event %1").arg(formatCount(static_cast<std::uint64_t>(event)));
}

QString entryTimeText(const DeviceSnapshot& snapshot, EventNumber event) {
    const auto time = snapshot.timeAt(event);
    return time ? formatRelativeTime(*time, snapshot.firstTime.value_or(*time)) : QString();
}

QString timedEventText(const DeviceSnapshot& snapshot, EventNumber event) {
    const QString time = entryTimeText(snapshot, event);
    return time.isEmpty() ? eventText(event) : eventText(event) + u" · "_s + time;
}

QString annotationTitle(std::string_view annotation) {
    constexpr std::size_t kRead = 400;
    constexpr qsizetype kShown = 80;
    const QString text = toQString(annotation.substr(0, kRead)).simplified();
    const bool isCut = annotation.size() > kRead || text.size() > kShown;
    return isCut ? text.left(kShown) + u'…' : text;
}

QString shortFrame(std::string_view frame) {
    const std::size_t open = frame.find('(');
    const std::size_t folder = frame.rfind('/', open);
    return toQString(folder == std::string_view::npos ? frame : frame.substr(folder + 1));
}

QString stackTitle(std::string_view stack) {
    if (stack.empty()) return SnapshotTexts::tr("no call stack");
    std::string_view first;
    while (!stack.empty()) {
        const std::size_t end = std::min(stack.find('\n'), stack.size());
        const std::string_view frame = stack.substr(0, end);
        stack.remove_prefix(std::min(end + 1, stack.size()));
        if (first.empty()) first = frame;
        const bool isProgram = frame.find(".py(") != std::string_view::npos;
        const bool isFramework =
            frame.find("/torch/") != std::string_view::npos || frame.find("/torch_npu/") != std::string_view::npos;
        if (isProgram && !isFramework) return shortFrame(frame);
    }
    return shortFrame(first);
}

}  // namespace altiscope
