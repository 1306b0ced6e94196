#include "core/capture/targets/job_output.h"

#include "core/base/values/parse.h"
#include "core/capture/files/target_scripts.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace altiscope::capture {

namespace {

constexpr std::size_t kTailBytes = 8192, kMaxOutputs = 64, kMaxLogs = 256, kMaxOutput = std::size_t{8} << 20;

/// Without what a cut line has left at the begin, and with one kind of line ends.
std::string wholeLines(std::string_view text) {
    if (text.size() >= kTailBytes) {
        const auto end = text.find_first_of("\r\n");
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    std::string lines(text);
    std::replace(lines.begin(), lines.end(), '\r', '\n');
    return lines;
}

}  // namespace

Result<JobOutputs> findOutputs(const RemoteShell& shell, const std::string& logs,
                               std::span<const std::int64_t> processes) {
    std::string pids;
    for (const std::int64_t process : processes) pids += std::to_string(process) + " ";
    const std::vector<std::string> arguments{logs, pids};
    const auto reply = shell.run(findOutputsScript(), arguments);
    if (!reply.ok()) return reply.as<JobOutputs>();
    JobOutputs found;
    for (std::string_view rest = reply.value().output; !rest.empty();) {
        const std::string_view record = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(std::min(rest.size(), record.size() + 1));
        if (record.empty()) continue;
        const std::string_view text = record.substr(1);
        const std::size_t first = text.find(' '), second = text.find(' ', first + 1);
        const auto process = wholeNumber(text.substr(0, first));
        if (!process || *process <= 0) continue;
        if (record[0] == 'P' || record[0] == 'C') {
            ++found.processes;
            found.closed += record[0] == 'C' ? 1 : 0;
        }
        if (second == std::string_view::npos) continue;
        const std::string_view middle = text.substr(first + 1, second - first - 1), last = text.substr(second + 1);
        if (record[0] == 'F' && found.files.size() < kMaxOutputs)
            found.files.push_back({std::string(middle), std::string(last), *process});
        if (record[0] == 'R') found.ranks.push_back({*process, wholeNumber(middle).value_or(-1), std::string(last)});
    }
    std::stable_sort(found.ranks.begin(), found.ranks.end(),
                     [](const RankProcess& a, const RankProcess& b) { return a.rank < b.rank; });
    return found;
}

Result<std::optional<std::int64_t>> worldSize(const RemoteShell& shell, const std::string& jobFolder) {
    const std::vector<std::string> arguments{jobFolder};
    const auto reply = shell.run(worldSizeScript(), arguments);
    if (!reply.ok()) return reply.as<std::optional<std::int64_t>>();
    std::optional<std::int64_t> size;
    for (std::string_view rest = reply.value().output; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const auto number = wholeNumber(line.substr(line.rfind('=') + 1));
        if (number && *number > 0) size = std::max(size.value_or(0), *number);
    }
    return size;
}

Result<std::vector<FileTail>> readTails(const RemoteShell& shell, std::span<const OutputFile> files,
                                        std::span<const std::string> logs) {
    std::vector<FileTail> tails;
    if (files.empty() && logs.empty()) return tails;
    std::vector<std::string> arguments{std::to_string(kTailBytes)};
    std::set<std::string_view> names;
    for (const OutputFile& file : files.first(std::min(files.size(), kMaxOutputs))) {
        arguments.insert(arguments.end(), {file.source, file.path.starts_with('/') ? file.path : file.source});
        names.insert({file.source, file.path});
    }
    arguments.emplace_back();
    for (const std::string& log : logs.first(std::min(logs.size(), kMaxLogs))) {
        arguments.push_back(log);
        names.insert(log);
    }
    const auto reply = shell.run(readTailsScript(), arguments, {kMaxOutput});
    if (!reply.ok()) return reply.as<std::vector<FileTail>>();
    std::string_view output = reply.value().output;
    if (!output.ends_with(std::string_view("\0Z", 2))) return tails;
    output.remove_suffix(2);
    static constexpr std::string_view kHead = "==> ", kEnd = " <==";
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const std::string_view line = output.substr(at, end - at);
        const bool isHead = line.starts_with(kHead) && line.ends_with(kEnd) && line.size() > 8 &&
                            names.contains(line.substr(kHead.size(), line.size() - 8));
        if (isHead) tails.push_back({std::string(line.substr(kHead.size(), line.size() - 8)), {}});
        else if (!tails.empty()) tails.back().text += std::string(line) + "\n";
        at = end + 1;
    }
    for (FileTail& tail : tails) tail.text = wholeLines(tail.text);
    return tails;
}

}  // namespace altiscope::capture
