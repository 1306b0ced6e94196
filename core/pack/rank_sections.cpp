#include "core/pack/rank_sections.h"

#include "core/base/threads/parallel.h"
#include "core/pack/argument_blocks.h"
#include "core/pack/text_map.h"
#include "core/store/columns/computed_position.h"
#include "core/store/file/store_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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

std::string argumentText(std::string_view text, const RankContent& content) {
    std::string kept = content.withStacks ? std::string(text) : withoutStackTexts(text);
    return content.redaction == nullptr ? kept : content.redaction->json(kept);
}

/// Arguments of some records, as blocks.
Result<std::vector<NewBlock>> argumentBlocks(const std::string& path, const ArgumentSource& source,
                                             const RankContent& content, std::span<const SourcePos> positions) {
    std::vector<std::pair<std::uint64_t, std::string>> records(positions.size());
    std::optional<Error> error;
    source.each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
        if (text.ok()) records[i] = {positions[i].packed, argumentText(text.value(), content)};
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
        if (bytes > kMaxBlockBytes - kOfRecords)
            return Error{"pack.too_large", path, {}, {{"megabytes", std::to_string(kMaxBlockBytes >> 20U)}}};
        blocks.push_back(newBlock(std::span(records).subspan(begin, i + 1 - begin)));
        begin = i + 1;
        bytes = 0;
    }
    return blocks;
}

Result<std::vector<NewBlock>> argumentBlocks(const std::string& path, const RankEntry& rank, const RankContent& content,
                                             const CancelToken& cancel) {
    const std::vector<SourcePos> records = recordsOf(*rank.trace);
    if (!records.empty()) rank.arguments->prepare(records.front(), cancel);
    std::vector<std::vector<NewBlock>> parts((records.size() + kTogether - 1) / kTogether);
    std::optional<Error> error;
    std::mutex mutex;  // guards the error
    parallelFor(parts.size(), [&](std::size_t i) {
        if (cancel.cancelled()) return;
        const std::size_t from = i * kTogether;
        auto blocks = argumentBlocks(path, *rank.arguments, content,
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

void learnTexts(const StringPool& texts, Redaction& redaction) {
    parallelFor(texts.size(), [&](std::size_t i) { redaction.learn(texts.text({static_cast<std::uint32_t>(i)})); });
}

}  // namespace

CodedSection storeSection(SectionKind kind, const TraceStore* trace, const RowTables* rows, const CancelToken& cancel) {
    const TraceStore none(TraceColumns{}, false);
    const std::string bytes = StoreImage(trace != nullptr ? *trace : none, rows, {}, cancel).bytes();
    return codedSection(kind, kStoreFileVersion, bytes, BlockContent::Columns, cancel);
}

Result<RankSections> rankSections(const std::string& path, const RankEntry& rank, const RankContent& content,
                                  const CancelToken& cancel) {
    RankSections sections;
    if (rank.trace != nullptr || rank.rows != nullptr) {
        std::shared_ptr<const TraceStore> trace = rank.trace;
        std::shared_ptr<const RowTables> rows = rank.rows;
        if (!content.withStacks && trace != nullptr) trace = withoutStacks(*trace, rows);
        if (!content.withStacks && rows != nullptr) rows = withoutStacks(*rows);
        if (content.redaction != nullptr) {
            const TextMap map = [&content](std::string_view text) { return content.redaction->text(text); };
            if (trace != nullptr) trace = withTexts(*trace, map);
            if (rows != nullptr) rows = withTexts(*rows, map);
        }
        sections.store = storeSection(SectionKind::Store, trace.get(), rows.get(), cancel);
    }
    if (content.withArguments && rank.arguments != nullptr && rank.trace != nullptr) {
        const auto blocks = argumentBlocks(path, rank, content, cancel);
        if (!blocks.ok()) return blocks.as<RankSections>();
        sections.arguments = codedSection(SectionKind::Arguments, kArgumentsVersion, blocks.value());
    }
    if (cancel.cancelled()) return Cancelled{};
    return sections;
}

Result<Done> learnRank(const RankEntry& rank, bool withArguments, Redaction& redaction, const CancelToken& cancel) {
    if (rank.trace != nullptr) {
        learnTexts(rank.trace->texts(), redaction);
        for (const Track& track : rank.trace->tracks())
            for (const std::string* text :
                 {&track.pid, &track.tid, &track.process, &track.thread, &track.name, &track.labels})
                redaction.learn(*text);
    }
    if (rank.rows != nullptr) learnTexts(rank.rows->texts(), redaction);
    if (!withArguments || rank.arguments == nullptr || rank.trace == nullptr) return Done{};
    const std::vector<SourcePos> records = recordsOf(*rank.trace);
    if (!records.empty()) rank.arguments->prepare(records.front(), cancel);
    std::optional<Error> error;
    std::mutex mutex;  // guards the error
    parallelFor((records.size() + kTogether - 1) / kTogether, [&](std::size_t i) {
        if (cancel.cancelled()) return;
        const std::size_t from = i * kTogether;
        const auto part = std::span(records).subspan(from, std::min(kTogether, records.size() - from));
        rank.arguments->each(part, [&](std::size_t, const Result<std::string_view>& text) {
            if (text.ok()) return redaction.learnJson(text.value());
            const std::lock_guard lock(mutex);
            if (text.failed()) error = text.error();
        });
    });
    if (cancel.cancelled()) return Cancelled{};
    if (error) return *error;
    return Done{};
}

}  // namespace altiscope::pack
