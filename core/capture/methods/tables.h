#pragma once

#include "core/capture/methods/method.h"

namespace altiscope::capture {

// One table each, in a file of its own.

extern const Method kMmStatic;
extern const Method kMmDynamic;
extern const Method kMmSnapshot;
extern const Method kMmSora;
extern const Method kLlmFlags;
extern const Method kRlYaml;
extern const Method kVerl;
extern const Method kVllmAscend;
extern const Method kSglang;
extern const Method kMindieService;
extern const Method kMindsporeApi;
extern const Method kMindsporeDynamic;
extern const Method kMindsporeEnv;
extern const Method kTorchApi;
extern const Method kTorchDynamic;
extern const Method kMsprof;
extern const Method kMsprofAttach;
extern const Method kDynoNputrace;
extern const Method kDynoNpumonitor;

}  // namespace altiscope::capture
