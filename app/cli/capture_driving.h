#pragma once

#include "app/cli/command_context.h"
#include "core/capture/session/driving.h"

#include <filesystem>
#include <functional>
#include <string>

namespace altiscope::cli {

using EventPrinter = std::function<void(const capture::Event&)>;

/// Copies the results of a capture that is over. @return The status of the program.
int fetchCapture(const capture::CaptureStore& store, const std::string& id, const std::filesystem::path& folder,
                 const CancelToken& cancel, const EventPrinter& print);

/// Status for a capture that is over.
int statusOf(capture::State state);

/// One line for people: time, host, rank, state, message.
std::string eventLine(const capture::Event& event);

/// Starts the window with the results. @return False if there is no such program.
bool openInWindow(const std::filesystem::path& folder);

}  // namespace altiscope::cli
