#include "core/import/monitor/monitor_groups.h"

#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/import/json/json_text.h"

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace altiscope::reader {

namespace {

/// A rank is in some dozens of groups; a damaged file must not fill the directory.
constexpr std::size_t kMaxMonitorGroups = 10'000;

std::set<std::string> monitorGroups(const SourceFile& file, const CancelToken& cancel) {
    static constexpr std::string_view kKey = "\"commName\":\"";
    static constexpr std::size_t kMaxNameLength = 4096, kPiece = std::size_t{1} << 20;
    std::set<std::string> names;
    const auto opened = ReadOnlyFile::openText(file.path, cancel);
    if (!opened.ok()) return names;
    // Pieces overlap: what begins near the end of one is whole in the next.
    std::string piece(kPiece, '\0');
    for (std::uint64_t at = 0; at < opened.value().size() && !cancel.cancelled(); at += kPiece - 2 * kMaxNameLength) {
        const auto got = opened.value().read(at, std::span(piece));
        if (!got.ok()) return names;
        const std::string_view text = std::string_view(piece).substr(0, got.value());
        for (std::size_t found = text.find(kKey); found != std::string_view::npos; found = text.find(kKey, found + 1)) {
            const std::string_view rest = text.substr(found + kKey.size(), kMaxNameLength);
            std::size_t end = 0;
            while (end < rest.size() && rest[end] != '"' && rest[end] != '\n') end += rest[end] == '\\' ? 2 : 1;
            if (end >= rest.size() || rest[end] != '"') continue;
            const std::string_view name = rest.substr(0, end);
            if (!name.empty() && names.size() < kMaxMonitorGroups) names.insert(std::string(name));
        }
    }
    return names;
}

}  // namespace

void addMonitorGroups(const std::vector<RankManifest>& ranks, GroupDirectory& groups, const CancelToken& cancel) {
    std::vector<const SourceFile*> files;
    for (const RankManifest& rank : ranks) {
        for (const SourceFile& file : rank.traces) {
            if (file.format == SourceFormat::MonitorLines) files.push_back(&file);
        }
    }
    std::vector<std::set<std::string>> names(files.size());
    parallelFor(files.size(), [&](std::size_t i) {
        if (!cancel.cancelled()) names[i] = monitorGroups(*files[i], cancel);
    });
    for (const auto& ofFile : names) {
        for (const std::string& escaped : ofFile) {
            std::string id = unescapedJson(repairedUtf8(escaped)).text;
            // Digits alone are a hash already.
            if (id == "N/A" || id.find_first_not_of("0123456789") == std::string::npos) continue;
            std::string hash = groupHash(id);
            groups.add(KnownGroup{std::move(id), std::move(hash), {}, {}});
        }
    }
}

}  // namespace altiscope::reader
