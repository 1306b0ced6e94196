#include "views/timeline/rows/row_titles.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/timeline/rows/merged_tracks.h"

#include <QCoreApplication>

namespace altiscope {

namespace {

struct RowTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::RowTitles)
};

}  // namespace

QString rowTitleOf(const TimelineSources& sources, const RowKey& key) {
    const auto source = sources.sourceOf(key.capture);
    if (!source || key.kind < TimelineRowKind::Process || key.rank.value >= sources[*source].store->ranks.size())
        return {};
    if (key.kind == TimelineRowKind::Process && key.id == kMemoryId) return RowTexts::tr("Memory");
    const TraceStore* trace = sources[*source].store->ranks[key.rank.value].trace.get();
    auto track = trace == nullptr ? std::nullopt : trace->findTrack({key.id});
    if (!track && key.kind == TimelineRowKind::Counter) {
        trace = sources.memoryOf(*source, key.rank);
        track = trace == nullptr ? std::nullopt : trace->findTrack({key.id});
    }
    if (!track) return {};
    const Track& found = trace->track(*track);
    if (key.kind == TimelineRowKind::Process) return toQString(found.process);
    const QString name = key.kind == TimelineRowKind::Model
                             ? RowTexts::tr("Model %1").arg(sources.modelOf(*source, key.rank, *track))
                             : toQString(found.name);
    return toQString(found.process) + QStringLiteral(" / ") + name;
}

QString rowTitle(const TimelineSources& sources, const TrackNode& row) {
    const CaptureStore& store = *sources[row.source].store;
    switch (row.kind) {
    case TimelineRowKind::Capture:
        if (const auto& companion = sources[row.source].companion; companion != nullptr) return companion->title;
        return sources[row.source].name();
    case TimelineRowKind::Host: {
        const std::string& host = store.ranks[row.firstTrack].info.host;
        return host.empty() ? RowTexts::tr("unknown host") : toQString(host);
    }
    case TimelineRowKind::Rank: {
        const RankInfo& info = store.ranks[row.rank.value].info;
        // A rank that no source numbers is called by its folder or file, which may be the capture itself.
        if (!info.rankId && info.path == "." && info.alias.empty()) return sources[row.source].name();
        return rankTitle(info);
    }
    case TimelineRowKind::Process:
        return row.memory ? RowTexts::tr("Memory") : toQString(sources.traceOf(row)->track({row.firstTrack}).process);
    case TimelineRowKind::Model: return RowTexts::tr("Model %1").arg(row.model);
    case TimelineRowKind::Thread:
    case TimelineRowKind::Counter: {
        const QString name = toQString(sources.traceOf(row)->track({row.firstTrack}).name);
        return row.merged == nullptr
                   ? name
                   : RowTexts::tr("%1 + %n more", nullptr, static_cast<int>(row.merged->tracks().size()) - 1).arg(name);
    }
    }
    return {};
}

QString rowOrigin(const TimelineSources& sources, const TrackNode& row) {
    if (!row.pinned || row.level > 0) return {};
    const QString rank = rowTitle(sources, {.kind = TimelineRowKind::Rank, .source = row.source, .rank = row.rank});
    return row.kind == TimelineRowKind::Process
               ? rank
               : rank + QStringLiteral(" / ") +
                     (row.memory ? RowTexts::tr("Memory")
                                 : toQString(sources.traceOf(row)->track({row.firstTrack}).process));
}

QString rowNote(const TimelineSources& sources, const TimelineRow& row) {
    if (row.kind == TimelineRowKind::Process && row.memory)
        return row.expanded && sources.traceOf(row) == nullptr ? RowTexts::tr("reading\u2026")
                                                               : RowTexts::tr("allocated, reserved, active");
    if (row.kind == TimelineRowKind::Process) return toQString(sources.traceOf(row)->track({row.firstTrack}).labels);
    if (row.kind == TimelineRowKind::Model)
        return RowTexts::tr("%n stream(s)", nullptr, static_cast<int>(row.streams->size()));
    if (row.kind == TimelineRowKind::Capture) {
        if (const auto& companion = sources[row.source].companion; companion != nullptr)
            return companion->kind == SourceCompanion::Kind::Base ? RowTexts::tr("aligned by step")
                                                                  : RowTexts::tr("computed by your statement");
        const DurationNs shift = sources[row.source].shift;
        return shift.value == 0 ? QString() : RowTexts::tr("moved to a common start");
    }
    if (row.kind == TimelineRowKind::Thread && sources.traceOf(row)->track({row.firstTrack}).kind == TrackKind::Stack)
        return RowTexts::tr("stacks");
    if (row.kind != TimelineRowKind::Rank) return {};
    const RankEntry& entry = *sources.rankOf(row);
    if (entry.info.state == RankState::Raw) return RowTexts::tr("raw data only");
    if (entry.trace == nullptr) {
        // Those with tables alone are read as well.
        const bool isAwaited = entry.info.state == RankState::Listed && entry.info.traceBytes > 0;
        return isAwaited ? RowTexts::tr("not read yet") : RowTexts::tr("no timeline");
    }
    return deviceTitle(entry.info);
}

}  // namespace altiscope
