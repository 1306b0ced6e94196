#include "core/capture/targets/hosts_file.h"

#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/capture/targets/target.h"

#include <algorithm>
#include <set>

namespace altiscope::capture {

namespace {

constexpr std::uint64_t kMaxHostsFileBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMaxHosts = 1024;
/// Of a line in a message.
constexpr std::size_t kShownBytes = 80;

std::string_view trimmedHostLine(std::string_view line) {
    constexpr std::string_view kBlank = " \t\r\f\v";
    line = line.substr(0, line.find('#'));
    const auto first = line.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

/// "slots=8", "8". Any other word would be a second host, or a name for the first as in /etc/hosts.
bool isHostCount(std::string_view word) {
    const std::string_view value = word.substr(word.find('=') + 1);
    return !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Of one line; empty: it is none.
std::string_view hostOfLine(std::string_view line) {
    std::string_view host;
    while (!line.empty()) {
        const std::string_view word = line.substr(0, line.find_first_of(" \t"));
        line.remove_prefix(word.size());
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (host.empty()) host = word;
        else if (!isHostCount(word)) return {};
    }
    return parseTarget(host) ? host : std::string_view();
}

}  // namespace

Result<std::vector<std::string>> hostsOfText(std::string_view text, const std::filesystem::path& file) {
    std::vector<std::string> hosts;
    std::set<std::string_view> seen;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view whole = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), whole.size() + 1));
        const std::string_view line = trimmedHostLine(whole);
        if (line.empty()) continue;
        const std::string_view host = hostOfLine(line);
        if (host.empty()) {
            return Error{"capture.hosts.line",
                         file.string(),
                         {},
                         {{"line", std::to_string(number)},
                          {"text", std::string(line.substr(0, utf8Prefix(line, kShownBytes))) +
                                       (line.size() > kShownBytes ? "…" : "")}}};
        }
        if (!seen.insert(host).second) continue;
        if (hosts.size() == kMaxHosts)
            return Error{"capture.hosts.too_many", file.string(), {}, {{"limit", std::to_string(kMaxHosts)}}};
        hosts.emplace_back(host);
    }
    if (hosts.empty()) return Error{"capture.hosts.none", file.string(), {}, {}};
    return hosts;
}

Result<std::vector<std::string>> hostsOfFile(const std::filesystem::path& file) {
    const auto text = readSmallText(file, kMaxHostsFileBytes);
    if (!text.ok()) return text.as<std::vector<std::string>>();
    return hostsOfText(text.value(), file);
}

}  // namespace altiscope::capture
