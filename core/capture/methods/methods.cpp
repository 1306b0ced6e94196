#include "core/capture/methods/method.h"

#include "core/capture/methods/tables.h"

#include <algorithm>
#include <vector>

namespace altiscope::capture {

std::span<const Method> methods() {
    // The tables are constant-initialised in files of their own, so that copies are made at the first use only.
    static const Method all[] = {kMmStatic,     kMmDynamic,    kMmSnapshot,       kMmSora,       kLlmFlags,
                                 kRlYaml,       kMindsporeApi, kMindsporeDynamic, kMindsporeEnv, kTorchApi,
                                 kTorchDynamic, kMsprof,       kMsprofAttach,     kDynoNputrace, kDynoNpumonitor,
                                 kVerl,         kVllmAscend,   kSglang,           kMindieService};
    return all;
}

const Method* findMethod(std::string_view name) {
    const auto all = methods();
    const auto found =
        std::find_if(all.begin(), all.end(), [name](const Method& method) { return method.name == name; });
    return found == all.end() ? nullptr : &*found;
}

const Method& flavourOf(const Method& method, std::string_view variant) {
    static const std::vector<Method> twins = [] {
        std::vector<Method> made;
        for (const Method& one : methods()) {
            if (one.yamlVariant.empty() && one.launchVariant.empty()) continue;
            made.push_back(one);
            made.back().medium = one.yamlVariant.empty() ? Medium::Options : Medium::YamlFile;
            made.back().trigger = Trigger::Launch;
            made.back().base = {};
        }
        return made;
    }();
    const std::string_view other = method.yamlVariant.empty() ? method.launchVariant : method.yamlVariant;
    const bool isOther = !other.empty() && variant == other;
    const auto twin =
        std::find_if(twins.begin(), twins.end(), [&method](const Method& one) { return one.name == method.name; });
    if (twin == twins.end()) return method;
    return isOther ? *twin : *findMethod(method.name);
}

}  // namespace altiscope::capture
