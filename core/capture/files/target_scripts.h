#pragma once

#include <string_view>

namespace altiscope::capture {

// Scripts for /bin/sh on a target, one for each file of core/capture/scripts, whose first lines say what it does. A new
// one is a file there and a function here.

std::string_view analyseScript();
std::string_view checksumsScript();
std::string_view findOutputsScript();
std::string_view listFilesScript();
std::string_view listLookersScript();
std::string_view listResultsScript();
std::string_view ownAddressScript();
std::string_view preflightScript();
std::string_view readBatchScript();
std::string_view readConfigScript();
std::string_view readPieceScript();
std::string_view readStepLogScript();
std::string_view readTailsScript();
std::string_view replaceConfigScript();
std::string_view restoreConfigScript();
std::string_view runningJobsScript();
std::string_view serviceCallsScript();
std::string_view startJobScript();
std::string_view stopJobScript();
std::string_view worldSizeScript();
std::string_view writeConfigScript();

}  // namespace altiscope::capture
