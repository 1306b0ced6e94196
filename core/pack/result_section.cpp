#include "core/pack/result_section.h"

#include "core/base/files/pending_file.h"
#include "core/pack/pack_file.h"
#include "core/pack/section_writer.h"

#include <utility>
#include <vector>

namespace altiscope::pack {

namespace {

constexpr auto kResults = static_cast<std::uint32_t>(SectionKind::Results);

}  // namespace

std::optional<std::string> resultsIn(const PackSet& set, const CancelToken& cancel) {
    if (set.files.size() != 1) return std::nullopt;
    const PackFile& file = *set.files.front();
    const PackSection* section = file.find(SectionKind::Results);
    // A pack that was cut lacks ranks.
    if (section == nullptr || section->header.version != kResultsVersion || file.wholeUntil()) return std::nullopt;
    const auto content = file.content(*section, cancel);
    return content.ok() ? std::optional(std::string(content.value().bytes)) : std::nullopt;
}

Result<std::uint64_t> storeBytes(const std::filesystem::path& path) {
    const auto file = PackFile::open(path);
    if (!file.ok()) return file.as<std::uint64_t>();
    std::uint64_t bytes = 0;
    for (const PackSection& section : file.value()->sections())
        if (section.header.kind == static_cast<std::uint32_t>(SectionKind::Store)) bytes += section.header.rawBytes;
    return bytes;
}

Result<Done> addResults(const std::filesystem::path& path, std::string_view text, const CancelToken& cancel) {
    if (text.size() > kMaxJsonBytes)
        return Error{"pack.too_large", path.string(), {}, {{"megabytes", std::to_string(kMaxJsonBytes >> 20U)}}};
    const auto pack = PackFile::open(path);
    if (!pack.ok()) return pack.as<Done>();
    const std::vector<PackSection>& sections = pack.value()->sections();
    PendingFile file(path, PendingFile::Access::Shared, &cancel);
    SectionWriter writer(file, pack.value()->id(), cancel);
    const CodedSection results = codedSection(SectionKind::Results, kResultsVersion, text, BlockContent::Texts, cancel);
    bool isWell = file.opened(), isAdded = false;
    for (std::size_t i = 0; isWell && i < sections.size(); ++i) {
        const SectionHeader& header = sections[i].header;
        if (header.kind == kResults) continue;
        if (!isAdded && header.rank != kNoRankNumber) isWell = isAdded = writer.add(results);
        auto bytes = pack.value()->bytes(sections[i]);
        if (!bytes.ok()) return bytes.as<Done>();
        const std::uint64_t beyond = bytes.value().size() % kSectionAlignment;
        if (beyond > 0) bytes.value().append(kSectionAlignment - beyond, '\0');
        isWell = isWell && writer.add({header, std::move(bytes).value()}, header.rank);
    }
    if (isWell && !isAdded) isWell = writer.add(results);
    isWell = isWell && writer.finish() && file.keep();
    if (cancel.cancelled()) return Cancelled{};
    if (!isWell) return Error{"pack.not_written", path.string(), {}, {{"reason", file.problem()}}};
    return Done{};
}

}  // namespace altiscope::pack
