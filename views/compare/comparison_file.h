#pragma once

#include "core/compare/comparison.h"

#include <QString>

#include <functional>
#include <memory>

namespace altiscope {

class Session;

/// Writes a comparison as a visible job: a page of HTML in the language of the window, or JSON, by the ending of the
/// name. `done` runs on the GUI thread with one sentence on what became of it; at once if the file may not be written
/// (Session::refusedToWrite) or has another ending. GUI thread.
void saveComparison(Session& session, std::shared_ptr<const Comparison> comparison, const QString& file,
                    std::function<void(const QString& outcome)> done);

}  // namespace altiscope
