#include "core/import/raw/raw_device_samples.h"

#include "core/import/raw_host/raw_task_counters.h"
#include "core/import/raw_records/raw_iterations.h"
#include "core/import/raw_records/raw_marks.h"
#include "core/import/raw_records/raw_samples.h"
#include "core/import/raw_records/raw_stars_samples.h"

namespace altiscope::reader {

DeviceSamples readRawDeviceSamples(const RawDeviceFiles& files, const RawSettings& settings, bool hasExpandedStreams,
                                   const std::vector<RawAccelerator>& accelerators, RawContext& context) {
    DeviceSamples samples = readRawSamples(files, settings, context);
    addRawStarsSamples(files, settings, accelerators, context, samples);
    addRawTaskCounters(files, settings, hasExpandedStreams, context, samples);
    const std::vector<RawStep> steps = readRawSteps(files, context);
    samples.marks = rawStreamMarks(steps, files, settings, context.diagnostics);
    addRawIterations(steps, settings, files.name, context.diagnostics, samples);
    return samples;
}

}  // namespace altiscope::reader
