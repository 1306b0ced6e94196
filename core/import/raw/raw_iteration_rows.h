#pragma once

#include "core/import/raw/raw_import.h"
#include "core/store/raw/sample_records.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Numbers the reductions of one PROF folder through all of its devices, in the order of their folders' names.
void numberReductions(std::vector<DeviceSamples*> devices);
/// @param samplesOf  (device): its samples.
template <class Devices, class SamplesOf>
void numberReductions(Devices& devices, const SamplesOf& samplesOf) {
    std::vector<DeviceSamples*> all;
    for (auto& device : devices) all.push_back(&samplesOf(device));
    numberReductions(std::move(all));
}

/// Puts the iterations of models beside the tasks of their device: names, categories and threads as in the text export.
/// @param kind  Of their positions: that of marks of streams, whose numbers are smaller.
void addRawIterationRows(const DeviceSamples& samples, unsigned kind, RawSink& sink, Segment& segment);

/// The arguments of the slice with that number, as the text export has them; "{}" where there is none.
std::string rawIterationArguments(const DeviceSamples& samples, std::uint64_t number);

}  // namespace altiscope::reader
