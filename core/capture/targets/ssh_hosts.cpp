#include "core/capture/targets/ssh_hosts.h"

#include "core/base/files/file.h"
#include "core/base/text/ascii.h"
#include "core/capture/targets/target.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include <glob.h>

namespace altiscope::capture {

namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 20;
constexpr int kMaxConfigFiles = 200, kMaxIncludeDepth = 16;
constexpr std::size_t kMaxNames = 2000;

constexpr std::string_view kBlanks = " \t\r\f";

/// Words of a line: blanks or one "=" after the keyword separate them, quotes hold some together, "#" ends the line.
std::vector<std::string> lineWords(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
         at = line.find_first_not_of(kBlanks, at)) {
        if (line[at] == '#') break;
        if (words.size() == 1 && line[at] == '=') {
            ++at;
            continue;
        }
        std::size_t end = 0;
        if (line[at] == '"') {
            end = std::min(line.find('"', ++at), line.size());
            words.emplace_back(line.substr(at, end - at));
            at = std::min(end + 1, line.size());
            continue;
        }
        const std::string separators = std::string(kBlanks) + (words.empty() ? "=" : "");
        end = std::min(line.find_first_of(separators, at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = end;
    }
    if (!words.empty()) words[0] = asciiLower(words[0]);
    return words;
}

class HostReader {
public:
    explicit HostReader(std::filesystem::path includes) : m_includes(std::move(includes)) {}

    void read(const std::filesystem::path& file, int depth) {
        if (depth > kMaxIncludeDepth || ++m_files > kMaxConfigFiles) return;
        const auto text = readSmallFile(file, kMaxFileBytes);
        if (!text.ok()) return;
        std::string_view rest = text.value();
        while (!rest.empty()) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
            const auto words = lineWords(line);
            if (words.empty()) continue;
            for (std::size_t i = 1; i < words.size(); ++i) {
                if (words[0] == "host") take(words[i]);
                if (words[0] == "include") include(words[i], depth);
            }
        }
    }

    std::vector<std::string> names;

private:
    void take(const std::string& name) {
        if (names.size() >= kMaxNames || name.find_first_of("*?!") != std::string::npos) return;
        if (name == "local" || !parseTarget(name) || !m_seen.insert(name).second) return;
        names.push_back(name);
    }

    void include(const std::string& pattern, int depth) {
        const bool isWhole = pattern.starts_with('/') || pattern.starts_with('~');
        const std::string whole = isWhole ? pattern : (m_includes / pattern).string();
        glob_t found{};
        if (::glob(whole.c_str(), GLOB_TILDE, nullptr, &found) == 0) {
            for (std::size_t i = 0; i < found.gl_pathc; ++i) read(found.gl_pathv[i], depth + 1);
        }
        ::globfree(&found);
    }

    std::filesystem::path m_includes;
    std::set<std::string, std::less<>> m_seen;
    int m_files = 0;
};

}  // namespace

std::vector<std::string> sshHosts(const std::filesystem::path& config, const std::filesystem::path& includes) {
    HostReader reader(includes);
    reader.read(config, 0);
    return std::move(reader.names);
}

std::vector<std::string> userSshHosts() {
    const char* home = std::getenv("HOME");
    const std::filesystem::path folder = std::filesystem::path(home != nullptr ? home : "/") / ".ssh";
    const char* named = std::getenv("ALTISCOPE_SSH_CONFIG");
    const bool isNamed = named != nullptr && named[0] != '\0';
    return sshHosts(isNamed ? std::filesystem::path(named) : folder / "config", folder);
}

}  // namespace altiscope::capture
