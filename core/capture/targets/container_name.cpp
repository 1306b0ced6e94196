#include "core/capture/targets/container_name.h"

#include <algorithm>

namespace altiscope::capture {

namespace {

constexpr std::size_t kIdDigits = 64, kShownDigits = 12;

bool isContainerId(std::string_view text) {
    return text.size() == kIdDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// "docker-ID.scope", "ID": the id, or nothing.
std::string_view containerIdOf(std::string_view group, std::string_view prefix) {
    if (!group.starts_with(prefix)) return {};
    group.remove_prefix(prefix.size());
    if (group.ends_with(".scope")) group.remove_suffix(6);
    return isContainerId(group) ? group : std::string_view();
}

/// A name that a target may have.
bool isPlainName(std::string_view text) {
    return !text.empty() && text.size() < 100 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
               c == '-';
    });
}

/// Of one line's path.
ContainerName containerOfPath(std::string_view path) {
    const auto shown = [](std::string_view id) { return std::string(id.substr(0, kShownDigits)); };
    const bool isPod = path.find("/kubepods") != std::string_view::npos;
    ContainerName found;
    const auto take = [&found](std::string_view runtime, const std::string& name) {
        const bool isNested = found.isNested || (!found.name.empty() && found.name != name);
        found = {std::string(runtime), name, isNested};
    };
    std::string_view above;
    for (std::string_view rest = path; !rest.empty();) {
        rest.remove_prefix(1);
        const std::string_view group = rest.substr(0, rest.find('/'));
        rest.remove_prefix(group.size());
        // As systemd has it: "docker-ID.scope"; as containerd's "slice:cri-containerd:ID"; or a folder for each id.
        static constexpr struct {
            std::string_view prefix, runtime;
        } kPrefixes[] = {{"docker-", "docker"},  {"libpod-", "podman"},   {"nerdctl-", "nerdctl"},
                         {"cri-", "kubernetes"}, {"crio-", "kubernetes"}, {"cri-containerd-", "kubernetes"}};
        for (const auto& known : kPrefixes) {
            if (const auto id = containerIdOf(group, known.prefix); !id.empty())
                take(isPod ? "kubernetes" : known.runtime, shown(id));
        }
        const std::string_view last = group.substr(group.rfind(':') + 1);
        if (const auto id = containerIdOf(last, ""); !id.empty()) {
            if (group.find("cri-containerd") != std::string_view::npos) take("kubernetes", shown(id));
            else if (above == "docker" && !isPod) take("docker", shown(id));
            else if (isPod) take("kubernetes", shown(id));
            else if (above == "default") take("ctr", std::string(id));
        } else if (above == "default" && path.starts_with("/default/") && isPlainName(group)) {
            take("ctr", std::string(group));
        }
        above = group;
    }
    return found;
}

}  // namespace

std::string ContainerName::targetPart() const {
    return isNested || runtime.empty() || runtime == "kubernetes" ? std::string() : runtime + ":" + name;
}

ContainerName containerOf(std::string_view cgroup) {
    while (!cgroup.empty()) {
        const std::string_view line = cgroup.substr(0, cgroup.find('\n'));
        cgroup.remove_prefix(std::min(cgroup.size(), line.size() + 1));
        // "4:memory:/docker/ID", "0::/system.slice/docker-ID.scope"
        const auto second = line.find(':', line.find(':') + 1);
        if (second == std::string_view::npos || line.substr(second + 1, 1) != "/") continue;
        if (auto found = containerOfPath(line.substr(second + 1)); !found.runtime.empty()) return found;
    }
    return {};
}

}  // namespace altiscope::capture
