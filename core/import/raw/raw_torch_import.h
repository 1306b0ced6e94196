#pragma once

#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_torch.h"

#include <vector>

namespace altiscope::reader {

/// Puts what FRAMEWORK says into the store: operators, the queue, stacks of Python, its collections of garbage; flows
/// between them and to the kernels of sink.launchEnds. After the PROF folders.
void addRawTorch(const RawTorch& torch, RawSink& sink);

/// Fills `operator`, `memory_sample` and `allocation`.
void addRawTorchRows(const RawTorch& torch, RowTablesBuilder& rows);

/// The operators ProfilerStep#N as steps, with their time on the host.
std::vector<Step> rawTorchSteps(const RawTorch& torch);

}  // namespace altiscope::reader
