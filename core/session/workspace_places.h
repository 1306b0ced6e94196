#pragma once

#include "core/session/workspace.h"

#include <QString>

#include <map>
#include <string>
#include <vector>

namespace altiscope {

/// A workspace as it was found here.
struct PlacedWorkspace {
    Workspace workspace;         ///< Captures that were found elsewhere have their path of now.
    std::vector<bool> isThere;   ///< As its captures.
    std::vector<bool> wasMoved;  ///< It lies elsewhere than the file says.
};

/// Looks where the captures of a workspace lie: where the file says, else beside the file under the same name, else
/// where a capture with the same identity was opened lately. On a worker: asks the file system twice for each.
/// @param file    Of the workspace.
/// @param recent  Paths by identity.
PlacedWorkspace placeWorkspace(Workspace workspace, const QString& file, const std::map<std::string, QString>& recent);

/// Where a path lies if another one, `from`, lies at `to` now: what both names end with alike stays, and the folders
/// before that are others; the path itself if it does not lie in these. "/a/x/run2" from "/a/x/run1" to "/b/x/run1" is
/// "/b/x/run2". Pure.
QString relocatedPath(const QString& path, const QString& from, const QString& to);

/// Puts what is not there, and lies near `from`, near `to`.
/// @pre `from` is the path of one of its captures. On a worker.
void relocate(PlacedWorkspace& placed, const QString& from, const QString& to);

}  // namespace altiscope
