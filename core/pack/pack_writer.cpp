#include "core/pack/pack_writer.h"

#include "core/base/files/file.h"
#include "core/base/threads/parallel.h"
#include "core/import/ranks/diagnostics_json.h"
#include "core/pack/argument_blocks.h"
#include "core/pack/pack_json.h"
#include "core/pack/section_writer.h"
#include "core/store/columns/computed_position.h"
#include "core/store/file/store_file.h"

#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace altiscope::pack {

namespace {

/// Records whose arguments are read together: neighbours in the source, which is read in chunks.
constexpr std::size_t kTogether = 8192;
/// Bytes of their block beside the texts, at most: three numbers of up to 10 bytes for each.
constexpr std::size_t kOfRecords = kTogether * 30;

/// Positions of all records of a rank that may have arguments, ascending.
std::vector<SourcePos> recordsOf(const TraceStore& trace) {
    const TraceColumns& columns = trace.columns();
    std::vector<SourcePos> records;
    records.reserve(columns.pos.size() + columns.instantPos.size());
    for (const auto* column : {&columns.pos, &columns.instantPos})
        std::copy_if(column->begin(), column->end(), std::back_inserter(records),
                     [](SourcePos pos) { return pos.packed != 0 && !isComputed(pos); });
    std::sort(records.begin(), records.end());
    records.erase(std::unique(records.begin(), records.end()), records.end());
    return records;
}

NewBlock newBlock(std::span<const std::pair<std::uint64_t, std::string>> records) {
    const std::string content = ArgumentBlock::encode(records);
    return {records.front().first, static_cast<std::uint32_t>(content.size()),
            encodeBlock(content, BlockContent::Texts)};
}

/// A reader would refuse it.
Error tooLarge(const std::string& path, std::uint64_t limit) {
    return {"pack.too_large", path, {}, {{"megabytes", std::to_string(limit >> 20U)}}};
}

/// Arguments of some records, as blocks.
Result<std::vector<NewBlock>> argumentBlocks(const std::string& path, const ArgumentSource& source,
                                             std::span<const SourcePos> positions) {
    std::vector<std::pair<std::uint64_t, std::string>> records(positions.size());
    std::optional<Error> error;
    source.each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
        if (text.ok()) records[i] = {positions[i].packed, std::string(text.value())};
        else if (text.failed()) error = text.error();
    });
    if (error) return *error;
    std::erase_if(records, [](const auto& record) { return record.second.empty(); });
    std::vector<NewBlock> blocks;
    std::size_t begin = 0, bytes = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        bytes += records[i].second.size();
        const bool isMoreTooLarge = i + 1 < records.size() && records[i + 1].second.size() > kMaxBlockBytes / 2;
        if (bytes < kArgumentBlockBytes && !isMoreTooLarge && i + 1 < records.size()) continue;
        if (bytes > kMaxBlockBytes - kOfRecords) return tooLarge(path, kMaxBlockBytes);
        blocks.push_back(newBlock(std::span(records).subspan(begin, i + 1 - begin)));
        begin = i + 1;
        bytes = 0;
    }
    return blocks;
}

Result<std::vector<NewBlock>> argumentBlocks(const std::string& path, const RankEntry& rank,
                                             const CancelToken& cancel) {
    const std::vector<SourcePos> records = recordsOf(*rank.trace);
    if (!records.empty()) rank.arguments->prepare(records.front(), cancel);
    std::vector<std::vector<NewBlock>> parts((records.size() + kTogether - 1) / kTogether);
    std::optional<Error> error;
    std::mutex mutex;  // guards the error
    parallelFor(parts.size(), [&](std::size_t i) {
        if (cancel.cancelled()) return;
        const std::size_t from = i * kTogether;
        auto blocks = argumentBlocks(path, *rank.arguments,
                                     std::span(records).subspan(from, std::min(kTogether, records.size() - from)));
        if (blocks.ok()) {
            parts[i] = std::move(blocks).value();
        } else if (blocks.failed()) {
            const std::lock_guard lock(mutex);
            error = blocks.error();
        }
    });
    if (cancel.cancelled()) return Cancelled{};
    if (error) return *error;
    std::vector<NewBlock> all;
    for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(all));
    return all;
}

/// nullopt unless the file is as it was when the capture was read of it, from the first byte to the last.
std::optional<std::uint64_t> checksumOf(const FileStamp& stamp, const CancelToken& cancel) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 20;
    if (stampOf(stamp.path) != stamp) return std::nullopt;
    const auto file = ReadOnlyFile::open(stamp.path);
    if (!file.ok()) return std::nullopt;
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
    if (!state) throw std::bad_alloc();
    XXH3_64bits_reset(state.get());
    std::string bytes(std::min<std::uint64_t>(kAtOnce, file.value().size() + 1), '\0');
    for (std::uint64_t at = 0; at < file.value().size();) {
        const auto read = file.value().read(at, bytes);
        if (!read.ok() || read.value() == 0 || cancel.cancelled()) return std::nullopt;
        XXH3_64bits_update(state.get(), bytes.data(), read.value());
        at += read.value();
    }
    if (stampOf(stamp.path) != stamp) return std::nullopt;
    return XXH3_64bits_digest(state.get());
}

std::vector<PackedSource> sourcesOf(const std::vector<const RankEntry*>& ranks, const CancelToken& cancel) {
    std::vector<PackedSource> sources;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i]->sources == nullptr) continue;
        for (const FileStamp& stamp : *ranks[i]->sources) sources.push_back({i, stamp, {}});
    }
    parallelFor(sources.size(), [&](std::size_t i) {
        if (!cancel.cancelled()) sources[i].checksum = checksumOf(sources[i].stamp, cancel);
    });
    return sources;
}

/// Numbers that no rank of the capture has, as a text.
std::string missingRanks(const CaptureStore& capture, const PackOptions& options) {
    constexpr std::size_t kNamed = 10;
    std::vector<std::string> missing;
    for (const std::int64_t number : options.ranks.value_or(std::vector<std::int64_t>())) {
        const bool isThere = std::any_of(capture.ranks.begin(), capture.ranks.end(),
                                         [&](const RankEntry& rank) { return rank.info.rankId == number; });
        if (!isThere) missing.push_back(std::to_string(number));
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(kNamed, missing.size()); ++i) text += (i == 0 ? "" : ", ") + missing[i];
    return missing.size() > kNamed ? text + ", ..." : text;
}

std::vector<const RankEntry*> chosenRanks(const CaptureStore& capture, const PackOptions& options) {
    std::vector<const RankEntry*> ranks;
    for (const RankEntry& rank : capture.ranks) {
        const bool isWanted =
            !options.ranks || (rank.info.rankId && std::find(options.ranks->begin(), options.ranks->end(),
                                                             *rank.info.rankId) != options.ranks->end());
        if (isWanted) ranks.push_back(&rank);
    }
    return ranks;
}

PackedRanks listOf(const CaptureStore& capture, const std::vector<const RankEntry*>& ranks,
                   const PackOptions& options) {
    PackedRanks list{options.identity, capture.path, options.program, capture.state, capture.rows != nullptr, {}};
    for (const RankEntry* rank : ranks) {
        const bool hasArguments = options.withArguments && rank->arguments != nullptr && rank->trace != nullptr;
        list.ranks.push_back({rank->info, rank->steps, rank->trace != nullptr,
                              rank->trace != nullptr || rank->rows != nullptr, hasArguments});
    }
    return list;
}

/// A store with its rows as the content of a section.
bool addStore(SectionWriter& writer, SectionKind kind, std::uint32_t rank, const TraceStore* trace,
              const RowTables* rows, const CancelToken& cancel) {
    const TraceStore none(TraceColumns{}, false);
    const std::string bytes = StoreImage(trace != nullptr ? *trace : none, rows, {}, cancel).bytes();
    return writer.add(kind, kStoreFileVersion, rank, bytes, BlockContent::Columns);
}

}  // namespace

Result<PackSummary> writePack(const CaptureStore& capture, const PackOptions& options,
                              const std::filesystem::path& path, ProgressSlot& progress, const CancelToken& cancel) {
    const std::vector<const RankEntry*> ranks = chosenRanks(capture, options);
    if (capture.ranks.empty()) return Error{"pack.empty", capture.path, {}, {}};
    std::string missing = missingRanks(capture, options);
    if (ranks.empty()) return Error{"pack.no_ranks", capture.path, {}, {{"ranks", std::move(missing)}}};
    progress.setPhase(ProgressPhase::Writing);
    for (const RankEntry* rank : ranks) progress.addTotal(rank->info.traceBytes);
    const PackedRanks list = listOf(capture, ranks, options);
    const std::string listText = ranksToJson(list), sources = sourcesToJson(sourcesOf(ranks, cancel));
    if (cancel.cancelled()) return Cancelled{};
    const std::string notes = reader::diagnosticsJson(capture.diagnostics);
    for (const std::string* text : {&listText, &sources, &notes})
        if (text->size() > kMaxJsonBytes) return tooLarge(capture.path, kMaxJsonBytes);
    const std::string all = listText + sources;
    PendingFile file(path, PendingFile::Access::Shared, &cancel);
    const auto notWritten = [&]() -> Result<PackSummary> {
        if (cancel.cancelled()) return Cancelled{};
        return Error{"pack.not_written", path.string(), {}, {{"reason", file.problem()}}};
    };
    if (!file.opened()) return notWritten();
    SectionWriter writer(file, XXH3_64bits(all.data(), all.size()), cancel);
    PackSummary summary{ranks.size(), 0, 0, std::move(missing)};
    const auto texts = [&](SectionKind kind, std::string_view content) {
        return writer.add(kind, kJsonVersion, kNoRankNumber, content, BlockContent::Texts);
    };
    if (!texts(SectionKind::Ranks, listText) || !texts(SectionKind::Diagnostics, notes) ||
        !texts(SectionKind::Provenance, sources))
        return notWritten();
    if (list.hasGroups && !addStore(writer, SectionKind::Groups, kNoRankNumber, nullptr, capture.rows.get(), cancel))
        return notWritten();
    for (std::uint32_t i = 0; i < ranks.size(); ++i) {
        const RankEntry& rank = *ranks[i];
        if (list.ranks[i].hasStore &&
            !addStore(writer, SectionKind::Store, i, rank.trace.get(), rank.rows.get(), cancel))
            return notWritten();
        if (list.ranks[i].hasArguments) {
            const auto blocks = argumentBlocks(capture.path, rank, cancel);
            if (!blocks.ok()) return blocks.as<PackSummary>();
            const std::uint64_t before = writer.bytes();
            if (!writer.add(SectionKind::Arguments, kArgumentsVersion, i, blocks.value())) return notWritten();
            summary.argumentBytes += writer.bytes() - before;
        }
        progress.addDone(rank.info.traceBytes);
    }
    if (!writer.finish() || !file.keep()) return notWritten();
    summary.bytes = writer.bytes();
    return summary;
}

}  // namespace altiscope::pack
