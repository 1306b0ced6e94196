#pragma once

#include "core/session/workspace.h"

#include <optional>

namespace altiscope {

/// ".altiscope", without regard to case.
bool isWorkspaceName(const QString& path);

/// @return Error as workspaceFromText() and readSmallFile(). On a worker: the file may lie far away.
Result<Workspace> readWorkspace(const QString& file);

/// Whole or not at all; makes its folder. Whoever calls has made sure that it lies in no open capture
/// (Session::refusedToWrite()).
/// @return Error "export.inside_capture" if it would lie in a profiler's folder, "workspace.not_written" with the
///         reason; nullopt: it stands there.
std::optional<Error> writeWorkspace(const Workspace& workspace, const QString& file);

}  // namespace altiscope
