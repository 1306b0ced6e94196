#pragma once

#include "core/base/threads/parallel.h"
#include "core/generate/generate_capture.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

/// Reads generated captures without any code of the project: what the files say, by the plainest means.
namespace altiscope::test {

using Json = nlohmann::json;

inline std::string fileText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline Json fileJson(const std::filesystem::path& path) { return Json::parse(fileText(path)); }

/// Decimal microseconds -> ns, halves up, from the digits.
inline std::int64_t nsOf(const std::string& us) {
    // The JSON library prints what is far below a nanosecond with an exponent.
    if (us.find("e-") != std::string::npos) return 0;
    const std::size_t dot = std::min(us.find('.'), us.size());
    const std::string fraction = (dot < us.size() ? us.substr(dot + 1) : std::string()) + "0000";
    return std::stoll(us.substr(0, dot)) * 1000 + std::stoll(fraction.substr(0, 3)) + (fraction[3] >= '5' ? 1 : 0);
}

inline std::int64_t startOf(const Json& event) { return nsOf(event.at("ts").get<std::string>()); }
inline std::int64_t durationOf(const Json& event) { return nsOf(event.at("dur").dump()); }

/// Rows of a CSV file without its header, cells without blanks and tabs around them; the header names the columns.
struct CsvTable {
    std::vector<std::string> header;
    std::vector<std::map<std::string, std::string>> rows;
};

inline CsvTable readCsv(const std::filesystem::path& path) {
    CsvTable table;
    std::vector<std::string> cells(1);
    bool quoted = false;
    const auto endRow = [&] {
        for (std::string& cell : cells) cell.erase(cell.find_last_not_of("\t\r ") + 1);
        if (table.header.empty()) {
            table.header = cells;
        } else {
            table.rows.emplace_back();
            for (std::size_t i = 0; i < cells.size(); ++i) table.rows.back()[table.header.at(i)] = cells[i];
        }
        cells.assign(1, {});
    };
    for (const char c : fileText(path)) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) cells.emplace_back();
        else if (c == '\n' && !quoted) endRow();
        else cells.back() += c;
    }
    return table;
}

/// A capture in a folder that lives as long as this.
struct GeneratedCapture {
    QTemporaryDir folder;
    Result<generate::GenerateSummary> summary = Cancelled{};

    explicit GeneratedCapture(const std::vector<std::string>& words, unsigned threads = 2) {
        std::vector<std::string> all = words;
        all.push_back(path().string());
        const auto options = generate::parseGenerateOptions(all);
        if (!options.ok()) return;
        WorkerArena arena(threads);
        ProgressSlot progress;
        arena.run([&] { summary = generate::generateCapture(options.value(), progress, CancelToken()); });
    }
    std::filesystem::path path() const { return std::filesystem::path(folder.path().toStdString()) / "capture"; }
    std::filesystem::path rank(int number) const { return path() / ("rank" + std::to_string(number) + "_ascend_pt"); }
    std::filesystem::path output(int number) const { return rank(number) / "ASCEND_PROFILER_OUTPUT"; }
};

/// Names of processes and threads of a timeline.
struct TraceNames {
    std::map<std::int64_t, std::string> processes;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> threads;

    explicit TraceNames(const Json& trace) {
        for (const Json& event : trace) {
            if (event.at("ph") != "M") continue;
            const std::int64_t pid = event.at("pid");
            if (event.at("name") == "process_name") processes[pid] = event.at("args").at("name");
            if (event.at("name") == "thread_name") threads[{pid, event.at("tid")}] = event.at("args").at("name");
        }
    }
    std::string process(const Json& event) const { return processes.at(event.at("pid")); }
    std::string thread(const Json& event) const { return threads.at({event.at("pid"), event.at("tid")}); }
};

}  // namespace altiscope::test
