#include "core/capture/methods/method.h"

#include "core/capture/methods/tables.h"

#include <algorithm>

namespace altiscope::capture {

std::span<const Method> methods() {
    // The tables are constant-initialised in files of their own, so that copies are made at the first use only.
    static const Method all[] = {kMmStatic, kMmDynamic,    kMmSnapshot,       kMmSora,        kLlmFlags,
                                 kRlYaml,   kMindsporeApi, kMindsporeDynamic, kMindsporeEnv,  kTorchDynamic,
                                 kMsprof,   kMsprofAttach, kDynoNputrace,     kDynoNpumonitor};
    return all;
}

const Method* findMethod(std::string_view name) {
    const auto all = methods();
    const auto found =
        std::find_if(all.begin(), all.end(), [name](const Method& method) { return method.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace altiscope::capture
