#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace altiscope::reader {

/// The words for which records of mindspore.op_range have numbers, as trace_view.json of the profiler has them; what
/// has no word is "Default". Source: enumerations of MindSpore's profiler (fwk_event.py), 2024-12 and later.
inline std::string_view mindsporeModule(std::size_t number) {
    static constexpr std::string_view kWords[] = {"Default", "GraphExecutorPy", "RuntimeFramework", "PynativeFramework",
                                                  "Kernel",  "Python",          "Capture",          "Other"};
    return number < std::size(kWords) ? kWords[number] : kWords[0];
}

inline std::string_view mindsporeStage(std::size_t number) {
    static constexpr std::string_view kWords[] = {"Default",      "Python",    "Capture", "RunGraph",
                                                  "RunGrad",      "RunOp",     "Asnumpy", "CompileGradGraph",
                                                  "WaitPipeline", "SyncStream"};
    return number < std::size(kWords) ? kWords[number] : kWords[0];
}

inline std::string_view mindsporeEvent(std::size_t number) {
    static constexpr std::string_view kWords[] = {"Default",
                                                  "KernelInfer",
                                                  "KernelResize",
                                                  "KernelInferAndResize",
                                                  "KernelLaunch",
                                                  "KernelLaunckCallback",
                                                  "KernelUpdate",
                                                  "KernelPrepareData",
                                                  "GraphLaunch",
                                                  "InputProcess",
                                                  "OutputProcess",
                                                  "WaitTaskFinish",
                                                  "PreLaunch",
                                                  "PostLaunch",
                                                  "SendOutput",
                                                  "MemoryAlloc",
                                                  "MemoryFree",
                                                  "CopyData",
                                                  "StreamSync",
                                                  "ProcessMultiStream",
                                                  "WaitKernelsInferFinish",
                                                  "WaitKernelsResizeFinish",
                                                  "WaitKernelsLaunchFinish",
                                                  "KernelInferInner",
                                                  "KernelInferDataSync",
                                                  "KernelResizeInner",
                                                  "KernelLaunchInner",
                                                  "BackendGraphRunInner",
                                                  "RunOp",
                                                  "PyNativeFrontendTask",
                                                  "PyNativeBackendTask",
                                                  "PyNativeDeviceTask",
                                                  "PyNativeLaunchTask",
                                                  "PyNativeBpropTask",
                                                  "Wait",
                                                  "PyNativeGilAcquire",
                                                  "PyNativeCast",
                                                  "PyNativeInfer",
                                                  "PyNativeOpCompile",
                                                  "PyNativeGradExpander",
                                                  "PyNativeGradUpdateSens",
                                                  "PyNativeGradClearTopCell",
                                                  "PyNativeGradClearAutoGradCell",
                                                  "PyBoostInferOutput",
                                                  "PyBoostInferByOpDef",
                                                  "PyBoostCreateOutputTensor",
                                                  "PyBoostDeviceTask",
                                                  "PyBoostMallocInput",
                                                  "PyBoostMallocOutput",
                                                  "PyBoostLaunchAclnn",
                                                  "PyBoostLaunchAtb",
                                                  "PyNativeNewGraph",
                                                  "PyNativeEndGraph",
                                                  "PythonObserved",
                                                  "CaptureRunGraph",
                                                  "CaptureProcess",
                                                  "CaptureCompile",
                                                  "CaptureGuard",
                                                  "AclnnHitCacheStage1",
                                                  "AclnnHitCacheStage2",
                                                  "AclnnMissCacheStage1",
                                                  "AclnnMissCacheStage2",
                                                  "AclnnUpdateAddress",
                                                  "AclnnRunOp",
                                                  "RunExpanderFunc",
                                                  "EmitOp",
                                                  "Execute",
                                                  "ReleaseResource",
                                                  "NativeFunc"};
    return number < std::size(kWords) ? kWords[number] : kWords[0];
}

}  // namespace altiscope::reader
