#include "core/import/ranks/rank_import.h"

#include "core/base/memory/discard.h"
#include "core/base/memory/freed_memory.h"
#include "core/base/values/parse.h"
#include "core/import/database_lookup/db_position.h"
#include "core/import/files/numbered_steps.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/ranks/rank_cache.h"
#include "core/import/ranks/rank_tables.h"
#include "core/import/ranks/reader_registry.h"
#include "core/import/ranks/tables_alone.h"
#include "core/import/ranks/track_device.h"
#include "core/import/ranks/unlinked_rows.h"
#include "core/import/raw_records/raw_folders.h"
#include "core/import/scan/table_files.h"
#include "core/import/snapshot/snapshot_reader.h"
#include "core/store/columns/computed_position.h"
#include "core/store/columns/home_range.h"
#include "core/store/recording_parts.h"
#include "core/store/rows/row_devices.h"
#include "core/store/rows/row_traits.h"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

/// Arguments of a rank whose trace consists of several files.
class FilesArguments final : public ArgumentSource {
public:
    /// @param cancel  Polled for each file: their dates are looked at.
    FilesArguments(const std::vector<SourceFile>& files, const CancelToken& cancel) {
        for (const SourceFile& file : files) {
            if (cancel.cancelled()) return;
            m_sources.emplace_back(file.number, makeArgumentSource(file));
            if (file.archive) m_keepers.push_back(file.archive);
            if (file.copy) m_keepers.push_back(file.copy);
            m_ownsFiles = m_ownsFiles || file.archive || file.copy;
        }
        std::sort(m_sources.begin(), m_sources.end());
    }
    FilesArguments(const FilesArguments&) = delete;
    FilesArguments& operator=(const FilesArguments&) = delete;
    ~FilesArguments() override {
        // Destroying the sources of 100,000 parts of a timeline takes 100 ms.
        constexpr std::size_t kMany = 1000;
        if (m_ownsFiles || m_sources.size() < kMany) return;
        try {
            discardAside(std::make_shared<const Sources>(std::move(m_sources)));
        } catch (const std::bad_alloc&) {
            return;  // They are destroyed here.
        }
    }

    Result<std::string> arguments(SourcePos pos) const override {
        if (isComputed(pos)) return std::string();
        if (const ArgumentSource* source = sourceOf(pos.file())) return source->arguments(pos);
        return lost(pos);
    }

    void prepare(SourcePos pos, const CancelToken& cancel) const override {
        if (isComputed(pos)) return;
        if (const ArgumentSource* source = sourceOf(pos.file())) source->prepare(pos, cancel);
    }

    void each(std::span<const SourcePos> positions, const Take& take) const override {
        std::map<std::uint32_t, std::vector<std::size_t>> byFile;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (isComputed(positions[i])) take(i, std::string_view());
            else byFile[positions[i].file()].push_back(i);
        }
        for (const auto& [file, numbers] : byFile) {
            const ArgumentSource* source = sourceOf(file);
            std::vector<SourcePos> part;
            for (const std::size_t number : numbers) {
                part.push_back(positions[number]);
                if (source == nullptr) take(number, lost(positions[number]));
            }
            if (source != nullptr)
                source->each(part,
                             [&take, &places = numbers](std::size_t i, const auto& text) { take(places[i], text); });
        }
    }

    Result<std::vector<SourcePos>> find(std::string_view text, bool ignoreCase,
                                        const CancelToken& cancel) const override {
        std::vector<SourcePos> all;
        for (const auto& [number, source] : m_sources) {
            if (!source) return ArgumentSource::find(text, ignoreCase, cancel);
            const auto found = source->find(text, ignoreCase, cancel);
            if (!found.ok()) return found;
            all.insert(all.end(), found.value().begin(), found.value().end());
        }
        std::sort(all.begin(), all.end());
        return all;
    }

    Result<std::shared_ptr<const TaskRecords>> tasks(TaskDetail detail, const CancelToken& cancel) const override {
        for (const auto& [number, source] : m_sources) {
            if (!source) continue;
            auto records = source->tasks(detail, cancel);
            if (!records.ok() || records.value() != nullptr) return records;
        }
        return std::shared_ptr<const TaskRecords>();
    }

private:
    const ArgumentSource* sourceOf(std::uint32_t file) const {
        const auto at =
            std::lower_bound(m_sources.begin(), m_sources.end(), file,
                             [](const auto& source, std::uint32_t wanted) { return source.first < wanted; });
        return at != m_sources.end() && at->first == file ? at->second.get() : nullptr;
    }
    static Error lost(SourcePos pos) {
        return {"args.source_changed", {}, Place{PlaceUnit::Byte, pos.offset()}.text(), {}};
    }

    using Sources = std::vector<std::pair<std::uint32_t, std::shared_ptr<const ArgumentSource>>>;
    Sources m_sources;  ///< By number of file.
    bool m_ownsFiles = false;
    std::vector<std::shared_ptr<const void>> m_keepers;  ///< Keepers of files expanded of archives, and of copies.
};

/// Decides when a picture of an unfinished trace is worth its cost: soon at first, then each time there is much more to
/// see. All pictures together cost less than a third of the seal.
class PictureSchedule {
public:
    bool isDue(std::uint64_t bytes) {
        static constexpr std::uint64_t kGrowth = 4;
        static constexpr std::uint64_t kLast = std::uint64_t{256} << 20;
        if (bytes < m_next || bytes > kLast) return false;
        m_next = bytes * kGrowth;
        return true;
    }

private:
    std::uint64_t m_next = 1;
};

/// The device that the labels of a trace's processes name, if it is one only.
std::optional<std::int64_t> deviceOf(const TraceStore& trace) {
    std::set<std::int64_t> devices;
    for (const Track& track : trace.tracks()) {
        if (const auto device = deviceOfTrack(track)) devices.insert(*device);
    }
    if (devices.size() != 1) return std::nullopt;
    return *devices.begin();
}

/// Whether a folder holds what several devices recorded; its first rows name but one of them.
bool namesSeveralDevices(const RowTables& rows) {
    return std::any_of(rows.tables().begin(), rows.tables().end(), [](const auto& table) {
        // A process may use the memory of other devices too: its rank is still the one of its own.
        return rowTraits(table.kind()).devices == RowDevices::Rank && hasSeveralDevices(table);
    });
}

/// The one device of a memory snapshot.
std::optional<std::int64_t> deviceOfSnapshot(const RowTables& rows) {
    for (const RowKind kind : {RowKind::SnapshotBlock, RowKind::SnapshotEvent}) {
        const RowTable* table = rows.find(kind);
        const auto devices = table == nullptr ? std::vector<std::int64_t>() : devicesIn(*table);
        if (devices.size() == 1) return devices.front();
    }
    return std::nullopt;
}

std::optional<std::uint64_t> byteOf(const Error& error) {
    static constexpr std::string_view kByte = "byte ";
    const std::string_view place = error.place;
    return place.starts_with(kByte) ? wholeNumber<std::uint64_t>(place.substr(kByte.size())) : std::nullopt;
}

void addError(const Error& error, const SourceFile& file, Diagnostics& diagnostics) {
    const auto byte = byteOf(error);
    const Place place = byte ? Place{PlaceUnit::Byte, *byte} : Place{};
    diagnostics.add(error.code, Severity::Lost, file.name, place, error.parameters);
}

/// Result of reading all files of a rank once.
struct Reading {
    Diagnostics diagnostics;
    std::optional<Error> firstError;
    std::size_t filesRead = 0;
    bool guessedWrong = false;
};

Result<Reading> readFiles(const RankManifest& rank, ImportContext context,
                          const std::function<void(std::uint64_t)>& committed) {
    Reading reading;
    std::uint64_t before = 0;
    std::unique_ptr<TraceReader> reader;
    for (std::size_t i = 0; i < rank.traces.size(); ++i) {
        const SourceFile& file = rank.traces[i];
        if (context.cancel.cancelled()) return Cancelled{};
        ImportContext fileContext{context.builder,    reading.diagnostics, context.progress, context.cancel,
                                  context.chunkBytes, context.rows,        context.inOrder,  {}};
        fileContext.isTableToo = std::any_of(rank.tables.begin(), rank.tables.end(), [&file](const TableFile& table) {
            return table.source.name == file.name;
        });
        if (committed) fileContext.committed = [&](std::uint64_t bytes) { committed(before + bytes); };
        context.progress.setFile(file.name);
        if (!reader) reader = makeReader(file.format);
        const auto summary = reader->read(file, fileContext);
        if (summary.cancelled()) return Cancelled{};
        const bool hasMore = i + 1 < rank.traces.size() && rank.traces[i + 1].format == file.format;
        if (!hasMore || !traitsOf(file.format).joinsFiles) {
            if (reader->finish(fileContext).cancelled()) return Cancelled{};
            reader.reset();
        }
        if (summary.ok()) {
            ++reading.filesRead;
            reading.guessedWrong = reading.guessedWrong || summary.value().guessedWrong;
        } else {
            addError(summary.error(), file, reading.diagnostics);
            if (!reading.firstError) reading.firstError = summary.error();
        }
        before += file.size;
    }
    return reading;
}

/// Why a rank of a memory snapshot alone has nothing.
std::optional<Error> snapshotError(const RankManifest& rank, const ImportedRank& imported) {
    const bool isSnapshot =
        rank.traces.empty() && rank.tables.size() == 1 && rank.tables.front().format == kSnapshotFormat;
    if (!isSnapshot || imported.entry.rows) return std::nullopt;
    const SourceFile& file = rank.tables.front().source;
    for (const Diagnostic& one : imported.diagnostics.about(file.name).entries()) {
        if (one.severity != Severity::Lost) continue;
        return Error{one.code, file.path.string(), one.places.empty() ? "" : one.places.front().text(), one.parameters};
    }
    return std::nullopt;
}

/// Names the events whose time cannot belong to the others'; they stay, but spans and views do not reach to them.
void reportFarEvents(const TraceStore& trace, const RankManifest& rank, Diagnostics& diagnostics) {
    const auto inOrder = [](const FarEvent& x, const FarEvent& y) {
        return std::tie(x.pos, x.time) < std::tie(y.pos, y.time);
    };
    struct OfFile {
        std::vector<FarEvent> first;  ///< Includes the first kSamples of the file.
        std::size_t count = 0;
    };
    std::map<std::uint32_t, OfFile> byFile;
    eachFarEvent(trace, [&](const FarEvent& event) {
        static constexpr std::size_t kMaxKept = 1024;
        OfFile& of = byFile[event.pos ? event.pos->file() : rank.traces.front().number];
        ++of.count;
        of.first.push_back(event);
        if (of.first.size() < kMaxKept) return;
        std::sort(of.first.begin(), of.first.end(), inOrder);
        of.first.erase(of.first.begin() + Diagnostic::kSamples, of.first.end());
    });
    const TimeRange home = trace.homeRange();
    for (auto& [number, of] : byFile) {
        std::vector<FarEvent>& events = of.first;
        const auto file = std::find_if(rank.traces.begin(), rank.traces.end(),
                                       [number = number](const SourceFile& one) { return one.number == number; });
        if (file == rank.traces.end()) continue;
        std::sort(events.begin(), events.end(), inOrder);
        const std::size_t named = std::min(events.size(), Diagnostic::kSamples);
        for (std::size_t i = 0; i < named; ++i) {
            const FarEvent& event = events[i];
            const Place place = event.pos ? placeOfEvent(file->format, *event.pos) : Place{};
            MessageParameters parameters{{"time", std::to_string(event.time.value)},
                                         {"begin", std::to_string(home.begin.value)},
                                         {"end", std::to_string(home.end.value)}};
            // Raw data has no place that a person could go to: the message then names the file.
            if (place.unit == PlaceUnit::Whole) parameters.emplace_back("place", file->name);
            // The last one that is named stands for all that follow.
            diagnostics.add("far_event", Severity::Info, file->name, place, parameters,
                            i + 1 < named ? 1 : of.count - i);
        }
    }
}

/// Reads all files of a rank and seals them. Rows of tables that they hold go to `rows`.
Result<ImportedRank> readTimeline(const RankManifest& rank, const RankContext& context, RowTablesBuilder& rows,
                                  const ShowTrace& show) {
    const ImportOptions& options = context.options;
    ProgressSlot& progress = context.progress;
    const CancelToken& cancel = context.cancel;
    ImportedRank imported;
    const DiscardOnCancel importedLater(cancel, imported);
    PictureSchedule pictures;
    const std::optional<TimeRange> window = options.ranks.windowOf(rank.info.path);
    for (const bool inOrder : {false, true}) {
        auto builder = std::make_unique<TraceBuilder>(rank.info.path, window);
        const DiscardOnCancel later(cancel, builder);
        Diagnostics unused;
        std::function<void(std::uint64_t)> committed;
        if (show) {
            committed = [&](std::uint64_t bytes) {
                if (!pictures.isDue(bytes)) return;
                auto picture = builder->snapshot(cancel);
                if (picture.ok()) show(std::move(picture).value());
            };
        }
        auto read =
            readFiles(rank, {*builder, unused, progress, cancel, options.chunkBytes, &rows, inOrder, {}}, committed);
        if (!read.ok()) return read.as<ImportedRank>();
        Reading& reading = read.value();
        if (reading.guessedWrong) continue;

        std::map<std::uint32_t, std::string> names;
        for (const SourceFile& file : rank.traces) names.emplace(file.number, file.name);
        progress.setPhase(ProgressPhase::Sealing);
        if (reading.filesRead == 0 && builder->eventCount() == 0) {
            imported.error = reading.firstError;
        } else {
            // Memory that reading has freed would stand beside that of the seal: some hundred MB of a large rank.
            static constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;
            if (rank.info.traceBytes > kLarge) releaseFreedMemory();
            auto sealed = builder->seal(SourceNames(names.size() == 1 ? names.begin()->second : rank.info.path, names),
                                        reading.diagnostics, cancel);
            if (!sealed.ok()) return sealed.as<ImportedRank>();
            imported.entry.trace = std::move(sealed).value();
            imported.entry.window = window;
            reportFarEvents(*imported.entry.trace, rank, reading.diagnostics);
        }
        imported.diagnostics = std::move(reading.diagnostics);
        break;
    }
    return imported;
}

std::shared_ptr<const std::vector<altiscope::FileStamp>> stampsOf(const RankManifest& rank, const CancelToken& cancel) {
    // Qualified: a source of arguments in this room has stamps of its own.
    std::vector<altiscope::FileStamp> stamps;
    for (const SourceFile& file : rank.traces) {
        if (cancel.cancelled()) break;
        stamps.push_back(altiscope::stampOf(file.originalFile()));
        if (file.format != SourceFormat::Raw || file.archive) continue;
        for (const std::filesystem::path& part : rawFilesOf(file)) stamps.push_back(altiscope::stampOf(part));
    }
    return std::make_shared<const std::vector<altiscope::FileStamp>>(std::move(stamps));
}

/// Diagnostics that reading the tables of a rank alone would give, out of all of it: how they fit to its timeline
/// is not looked at then.
Diagnostics aboutTables(const RankManifest& alone, const Diagnostics& all) {
    Diagnostics some;
    for (const Diagnostic& one : all.entries()) {
        const bool isRead = std::any_of(alone.tables.begin(), alone.tables.end(),
                                        [&](const TableFile& table) { return table.source.name == one.file; });
        if (!isRead || one.code.starts_with("files.")) continue;
        // The last place that is named stands for all that follow.
        const std::size_t places = std::max<std::size_t>(1, one.places.size());
        for (std::size_t i = 0; i < places; ++i)
            some.add(one.code, one.severity, one.file, one.places.empty() ? Place{} : one.places[i], one.parameters,
                     i + 1 < places ? 1 : one.count - i);
    }
    return some;
}

/// Reads the summary files that hold rows of the wanted kinds. nullopt if all of the rank is to be read: where that
/// takes the timeline, or where the cache may have it and the files are large.
std::optional<Result<ImportedRank>> importTablesAlone(const RankManifest& rank, const RankContext& context) {
    const auto& [groups, cache, options, progress, cancel] = context;
    if (!options.ranks.onlyTables || !standInTablesAlone(rank, *options.ranks.onlyTables)) return std::nullopt;
    const RankManifest alone = withTablesAlone(rank, *options.ranks.onlyTables);
    std::uint64_t bytes = 0;
    for (const TableFile& table : alone.tables) bytes += table.source.size;
    ImportedRank imported;
    imported.entry.info = rank.info;
    // Looking for it in the cache takes a look into all files of the rank.
    constexpr std::uint64_t kFewBytes = std::uint64_t{4} << 20;
    if (cache != nullptr && bytes > kFewBytes) {
        const auto key = rankCacheKey(rank, groups, cancel);
        if (auto cached = key ? findCachedRank(*cache, *key, cancel) : std::nullopt) {
            imported.entry.rows = std::move(cached->rows);
            imported.diagnostics = aboutTables(alone, cached->diagnostics);
        }
    }
    if (imported.entry.rows == nullptr) {
        RowTablesBuilder tables;
        TableContext ofTables{tables, imported.diagnostics, progress, cancel, options.chunkBytes};
        auto rows = readRankTables(alone, ofTables, groups, nullptr, true);
        if (!rows.ok()) return rows.as<ImportedRank>();
        imported.entry.rows = std::move(rows).value();
    }
    progress.addDone(rank.info.traceBytes > bytes ? rank.info.traceBytes - bytes : 0);
    imported.entry.steps = rank.steps;
    imported.entry.info.state = imported.diagnostics.anyLost() ? RankState::Partial : RankState::Ok;
    return imported;
}

/// Brings what files of MindSpore up to 2.3 tell to the clock of their timeline, and gives the rank its steps.
void addRecordedTimes(const RankManifest& rank, bool isWhole, ImportedRank& imported) {
    imported.entry.steps = rank.steps;
    if (!hasLegacyTimes(rank)) return;
    const TraceStore* trace = imported.entry.trace.get();
    LegacyClock clock;
    if (trace != nullptr) {
        const LegacySlices slices(*trace);
        clock = legacyClockOf(rank, slices);
        if (imported.entry.rows)
            imported.entry.rows = std::make_shared<const RowTables>(
                withLegacyMemory(withLegacyKernels(rank, *imported.entry.rows, clock, slices), clock, *trace));
        // Nothing can be missed in a part of the timeline.
        if (isWhole) reportLegacyClock(clock, imported.diagnostics);
    }
    if (imported.entry.steps.empty()) imported.entry.steps = legacySteps(rank, trace, clock, imported.diagnostics);
    if (imported.entry.rows && trace != nullptr)
        imported.entry.rows = std::make_shared<const RowTables>(
            withLegacyPhases(withLegacySteps(*imported.entry.rows, imported.entry.steps), clock, imported.entry.steps));
}

/// Reports the content of lines, which is not known before they are read.
void reportLinesContent(const RankManifest& rank, RankEntry& entry) {
    const bool isOfLines = std::any_of(rank.traces.begin(), rank.traces.end(), [](const SourceFile& file) {
        return file.format == SourceFormat::MonitorLines;
    });
    const RowTable* kernels = isOfLines && entry.rows ? entry.rows->find(RowKind::Kernel) : nullptr;
    if (kernels == nullptr || kernels->size() == 0) return;
    std::vector<std::string>& present = entry.info.present;
    if (std::find(present.begin(), present.end(), "kernels") == present.end()) {
        present.emplace_back("kernels");
        std::sort(present.begin(), present.end());
    }
}

/// Finds the device of a rank in what was read of it, where the scan has not found it.
void findDevice(RankEntry& entry) {
    std::optional<std::int64_t>& device = entry.info.deviceId;
    if (entry.rows && namesSeveralDevices(*entry.rows)) return device.reset();
    if (!device && entry.rows) device = deviceOfSnapshot(*entry.rows);
    if (!device && entry.trace) device = deviceOf(*entry.trace);
}

void applyCached(CachedRank cached, const RankManifest& rank, ImportedRank& imported) {
    RankEntry& entry = imported.entry;
    entry.trace = std::move(cached.trace);
    entry.rows = std::move(cached.rows);
    imported.diagnostics = std::move(cached.diagnostics);
    entry.steps = rank.steps;
    if (!entry.steps.empty() || !hasLegacyTimes(rank)) return;
    Diagnostics asBefore;
    const auto clock = entry.trace ? legacyClockOf(rank, LegacySlices(*entry.trace)) : LegacyClock{};
    entry.steps = legacySteps(rank, entry.trace.get(), clock, asBefore);
}

/// Reads timeline and tables of a rank.
Result<ImportedRank> readRank(const RankManifest& rank, const RankContext& context, const ShowTrace& show) {
    ImportedRank imported;
    const DiscardOnCancel importedLater(context.cancel, imported);
    auto tables = std::make_unique<RowTablesBuilder>();
    const DiscardOnCancel tablesLater(context.cancel, tables);
    if (!rank.traces.empty()) {
        auto read = readTimeline(rank, context, *tables, show);
        if (!read.ok()) return read;
        imported = std::move(read).value();
    }
    imported.entry.info = rank.info;
    const bool isWhole = !context.options.ranks.windowOf(rank.info.path);
    TableContext ofTables{*tables, imported.diagnostics, context.progress, context.cancel, context.options.chunkBytes};
    auto rows = readRankTables(rank, ofTables, context.groups, imported.entry.trace.get(), isWhole);
    if (!rows.ok()) return rows.as<ImportedRank>();
    imported.entry.rows = std::move(rows).value();
    if (!imported.error) imported.error = snapshotError(rank, imported);
    addRecordedTimes(rank, isWhole, imported);
    reportUnlinkedRows(rank, imported.entry, imported.diagnostics);
    return imported;
}

}  // namespace

Result<ImportedRank> importRank(const RankManifest& rank, const RankContext& context, const ShowTrace& show) {
    const auto& [groups, cache, options, progress, cancel] = context;
    ImportedRank imported;
    const DiscardOnCancel importedLater(cancel, imported);
    imported.entry.info = rank.info;
    if (rank.traces.empty() && rank.tables.empty()) return imported;
    if (auto alone = importTablesAlone(rank, context)) return std::move(*alone);
    // Made before reading: they hold the files to the state in which they are read.
    const auto arguments = std::make_shared<FilesArguments>(rank.traces, cancel);
    // Before reading: a file that changes meanwhile must not pass for what was read of it.
    auto sources = stampsOf(rank, cancel);
    const DiscardOnCancel sourcesLater(cancel, sources);
    if (cancel.cancelled()) return Cancelled{};
    const bool isWhole = !options.ranks.windowOf(rank.info.path);
    const bool usesCache = cache != nullptr && (isWhole || options.ranks.acceptsWhole);
    const auto key = usesCache ? rankCacheKey(rank, groups, cancel) : std::nullopt;
    auto cached = key ? findCachedRank(*cache, *key, cancel) : std::nullopt;
    if (cancel.cancelled()) return Cancelled{};
    if (cached) {
        applyCached(std::move(*cached), rank, imported);
        imported.entry.contentKey = *key;
        progress.addDone(rank.info.traceBytes);
    } else {
        auto read = readRank(rank, context, show);
        if (!read.ok()) return read;
        imported = std::move(read).value();
        // A trace that could not be read says so each time.
        if ((imported.entry.trace || imported.entry.rows) && isWhole && !imported.error) imported.cacheKey = key;
    }
    RankEntry& entry = imported.entry;
    // A timeline would tell times too.
    if (entry.steps.empty() && entry.trace == nullptr && entry.rows) entry.steps = numberedSteps(*entry.rows);
    reportLinesContent(rank, entry);
    findDevice(entry);
    entry.info.state = imported.diagnostics.anyLost() ? RankState::Partial : RankState::Ok;
    if (entry.trace) {
        entry.arguments = arguments;
        entry.sources = sources;
    } else {
        std::erase(entry.info.present, "timeline");
    }
    return imported;
}

}  // namespace altiscope::reader
