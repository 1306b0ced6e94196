#pragma once

#include "app/cli/command_context.h"
#include "core/base/threads/progress.h"

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace altiscope::cli {

/// Shows progress on a line of the terminal until it is destroyed, then wipes the line. Nothing if stderr is no
/// terminal or --quiet was given.
class ProgressLine {
public:
    using Text = std::function<std::string(const ProgressValue&)>;

    ProgressLine(const ProgressSlot& slot, const CommandContext& context, Text text);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    std::atomic<bool> m_over{false};
    std::thread m_thread;
};

/// " 41.5 %  FILE"
std::string percentText(const ProgressValue& value);
/// "12.3 MB"
std::string megabytesText(std::uint64_t bytes);

}  // namespace altiscope::cli
