#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/import/mindspore/special_tables.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr std::uint64_t kMaxWaitsFile = std::uint64_t{64} << 20;

/// Waits of one node of the AI CPU.
struct Waits {
    std::int64_t count = 0;
    double sumNs = 0;
};

std::vector<std::string_view> wordsOf(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; (begin = line.find_first_not_of(" \t\r", begin)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

}  // namespace

Result<Done> readDataWaits(const SourceFile& file, TableContext& context) {
    static constexpr std::string_view kHeader = "node_name";
    static constexpr std::size_t kShownBytes = 60;
    static constexpr double kNsPerUs = 1000;
    constexpr auto WA = RowKind::DatasetOp;
    const auto text = readSmallFile(file.path, kMaxWaitsFile);
    if (!text.ok()) return text.as<Done>();
    context.progress.addDone(file.size);
    std::map<std::string, Waits, std::less<>> nodes;
    std::uint64_t row = 0;
    for (std::string_view rest = text.value(); !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        ++row;
        const std::vector<std::string_view> words = wordsOf(line);
        // A table of text has a line below its heading.
        const bool isLine = !words.empty() && words.front().find_first_not_of('-') == std::string_view::npos;
        if (words.empty() || isLine || words.front() == kHeader) continue;
        const auto begin = words.size() < 3 ? std::nullopt : wholeNumber(words[1]),
                   end = words.size() < 3 ? std::nullopt : wholeNumber(words[2]);
        if (!begin || !end || *begin < 0 || *end < *begin) {
            context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, row},
                                    {{"what", repairedUtf8(line.substr(0, utf8Prefix(line, kShownBytes)))}});
            continue;
        }
        Waits& waits = nodes[std::string(words.front())];
        ++waits.count;
        waits.sumNs += static_cast<double>(*end - *begin) * kNsPerUs;
    }
    RowBatch batch = context.builder.batch(WA);
    for (const auto& [name, waits] : nodes) {
        batch.addRow();
        batch.setText(fixedColumn(WA, "operation"), repairedUtf8(name));
        batch.setText(fixedColumn(WA, "stage"), "AI_CPU");
        batch.setInteger(fixedColumn(WA, "occurrences"), waits.count);
        batch.setReal(fixedColumn(WA, "avg_time"), waits.sumNs / static_cast<double>(waits.count));
    }
    context.builder.commit(batch);
    return Done{};
}

}  // namespace altiscope::reader
