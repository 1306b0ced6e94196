#include "core/capture/targets/target.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <atomic>
#include <iterator>

#include <unistd.h>

namespace altiscope::capture {

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::size_t kMaxNameBytes = 255;

bool consistsOf(std::string_view text, std::string_view more) {
    return std::all_of(text.begin(), text.end(), [more](char c) {
        return kLetters.find(c) != std::string_view::npos || more.find(c) != std::string_view::npos;
    });
}

bool isPort(std::string_view text) {
    const auto number = wholeNumber<int>(text);
    return number && *number >= 1 && *number <= 65535;
}

/// "docker:NAME".
bool takeContainer(std::string_view text, Target& target) {
    constexpr std::string_view kRuntimes[] = {"docker", "podman", "nerdctl", "ctr", "kubectl"};
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view runtime = text.substr(0, colon), name = text.substr(colon + 1);
    if (std::find(std::begin(kRuntimes), std::end(kRuntimes), runtime) == std::end(kRuntimes)) return false;
    if (name.empty() || name.size() > kMaxNameBytes || !consistsOf(name, "._-") ||
        kLetters.find(name.front()) == std::string_view::npos) {
        return false;
    }
    target.runtime = runtime;
    target.container = name;
    return true;
}

}  // namespace

std::vector<std::string> containerWords(const Target& target) {
    if (target.runtime.empty()) return {};
    if (target.runtime == "kubectl") return {"kubectl", "exec", "-i", target.container, "--", "/bin/sh", "-s"};
    if (target.runtime == "ctr") {
        // Each process in a container needs a name of its own there.
        static std::atomic<unsigned> count = 0;
        const std::string id = "altiscope-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
        return {"ctr", "tasks", "exec", "--exec-id", id, target.container, "/bin/sh", "-s"};
    }
    return {target.runtime, "exec", "-i", target.container, "/bin/sh", "-s"};
}

std::optional<Target> parseTarget(std::string_view text) {
    Target target{std::string(text), false, {}, {}, {}, {}};
    if (const auto slash = text.find('/'); slash != std::string_view::npos) {
        if (!takeContainer(text.substr(slash + 1), target)) return std::nullopt;
        text = text.substr(0, slash);
    }
    target.isLocal = text == "local";
    if (target.isLocal) return target;
    if (text.empty() || text.size() > kMaxNameBytes || text.front() == '-') return std::nullopt;
    const auto at = text.rfind('@');
    const std::string_view user = at == std::string_view::npos ? std::string_view() : text.substr(0, at + 1);
    std::string_view host = at == std::string_view::npos ? text : text.substr(at + 1);
    if (!user.empty() && (user.size() == 1 || !consistsOf(user.substr(0, user.size() - 1), "._-@")))
        return std::nullopt;
    if (host.starts_with('[')) {
        const auto close = host.find(']');
        if (close == std::string_view::npos) return std::nullopt;
        const std::string_view rest = host.substr(close + 1);
        if (!rest.empty() && (rest.front() != ':' || !isPort(rest.substr(1)))) return std::nullopt;
        if (!rest.empty()) target.port = rest.substr(1);
        host = host.substr(1, close - 1);
        if (!consistsOf(host, ".:%_-")) return std::nullopt;
    } else if (const auto colon = host.find(':'); colon != std::string_view::npos) {
        if (!isPort(host.substr(colon + 1))) return std::nullopt;
        target.port = host.substr(colon + 1);
        host = host.substr(0, colon);
        if (!consistsOf(host, "._-")) return std::nullopt;
    } else if (!consistsOf(host, "._-")) {
        return std::nullopt;
    }
    if (host.empty() || host.front() == '-') return std::nullopt;
    target.destination = std::string(user) + std::string(host);
    return target;
}

std::vector<std::string> targetLabels(const std::vector<std::string>& names) {
    std::vector<std::string> labels;
    for (const std::string& name : names) {
        std::string label = name;
        for (char& c : label) {
            if (kLetters.find(c) == std::string_view::npos && c != '.' && c != '_' && c != '-') c = '_';
        }
        if (label.empty() || label.front() == '.') label.insert(0, "_");
        std::string unique = label;
        for (int i = 2; std::find(labels.begin(), labels.end(), unique) != labels.end(); ++i) {
            unique = label + "_" + std::to_string(i);
        }
        labels.push_back(unique);
    }
    return labels;
}

}  // namespace altiscope::capture
