#include "core/remote/rank_files.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace altiscope::remote {

namespace {

/// The number after `before`, up to the first character that is not a digit.
std::optional<std::int64_t> numberAfter(std::string_view name, std::string_view before) {
    if (!name.starts_with(before)) return std::nullopt;
    name.remove_prefix(before.size());
    return wholeNumber(name.substr(0, name.find_first_not_of("0123456789")));
}

/// The folder that a file says the rank of, and that rank.
std::optional<std::pair<std::string, std::int64_t>> rankOf(const std::string& path) {
    const std::string_view name = lastPathPart(path);
    if (const auto rank = numberAfter(name, "profiler_info_"); rank && name.ends_with(".json"))
        return std::pair(path.substr(0, path.size() - name.size()), *rank);
    for (std::size_t begin = 0, slash = path.find('/'); slash != path.npos; slash = path.find('/', begin)) {
        const std::string_view part = std::string_view(path).substr(begin, slash - begin);
        for (const std::string_view before : {"rank_", "rank-"}) {
            if (const auto rank = numberAfter(part, before)) return std::pair(path.substr(0, slash + 1), *rank);
        }
        begin = slash + 1;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<HostFile>> filesOfRanks(const std::vector<HostFile>& files,
                                                  const std::vector<std::int64_t>& ranks) {
    std::map<std::string, std::int64_t> folders;
    for (const HostFile& file : files) {
        if (auto found = rankOf(file.name)) folders.insert(std::move(*found));
    }
    std::vector<HostFile> chosen;
    bool any = false;
    for (const HostFile& file : files) {
        std::optional<std::int64_t> rank;
        if (const auto all = folders.find(std::string()); all != folders.end()) rank = all->second;
        for (std::size_t slash = file.name.find('/'); slash != file.name.npos && !rank;
             slash = file.name.find('/', slash + 1)) {
            const auto found = folders.find(file.name.substr(0, slash + 1));
            if (found != folders.end()) rank = found->second;
        }
        const bool isWanted = rank && std::find(ranks.begin(), ranks.end(), *rank) != ranks.end();
        any = any || isWanted;
        if (!rank || isWanted) chosen.push_back(file);
    }
    if (!any) return std::nullopt;
    return chosen;
}

}  // namespace altiscope::remote
