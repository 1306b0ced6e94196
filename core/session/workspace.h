#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/result.h"
#include "core/session/capture_names.h"
#include "core/session/mark_json.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// A capture of a workspace.
struct WorkspaceCapture {
    QString path;          ///< Absolute. In the file it is relative to the file's folder.
    std::string identity;  ///< See identifyCapture(); empty: was not known when it was written.
    std::vector<Mark> marks{};
    CaptureNames names{};

    bool operator==(const WorkspaceCapture&) const = default;
};

/// A range of time of one of the captures, on the clock on which its ranks are drawn.
struct WorkspaceRange {
    std::size_t capture = 0;  ///< In Workspace::captures.
    TimeRange range;

    bool operator==(const WorkspaceRange&) const = default;
};

/// The open captures and how they are looked at, as one file of the user's, to be sent to others. Values only.
struct Workspace {
    std::vector<WorkspaceCapture> captures;
    std::size_t current = 0;                ///< The capture that pages show, in `captures`.
    QString page;                           ///< By the window's word for it.
    std::optional<std::size_t> selectedIn;  ///< The capture that something is selected in.
    std::optional<SliceId> slice;
    std::optional<TimeRange> range;
    std::vector<std::int64_t> ranks, devices, steps;  ///< Filter of all pages; empty: all. Ascending.
    std::optional<WorkspaceRange> shownRange;         ///< That all pages show only; nullopt: all times.
    QJsonObject window;                               ///< State of the window alone: docks and tabs.
    QJsonObject pages;                                ///< An object by page, each page's own.

    bool operator==(const Workspace&) const = default;
};

// {"schema":1,"captures":[{"path","identity","marks":[...],"alias","group","ranks":[{"rank":PATH,"alias"}]}],
//  "current":0,"page":"timeline","selection":{"capture":0,"slice":N,"range":[BEGIN,END]},
//  "context":{"ranks":[],"devices":[],"steps":[],"range":{"capture":0,"begin":N,"end":N}},"window":{},"pages":{}}
// Only "schema" and "captures" must be there; members that are not known are left alone. Numbers are exact.

inline constexpr int kWorkspaceSchema = 1;
inline constexpr std::uint64_t kMaxWorkspaceBytes = std::uint64_t{8} << 20;
inline constexpr qsizetype kMaxWorkspaceCaptures = 256, kMaxWorkspacePath = 4096, kMaxWorkspaceAliases = 100'000;
inline constexpr int kMaxWorkspaceDepth = 24;

/// @param folder  Where the file lies: its paths count from there.
QByteArray workspaceText(const Workspace& workspace, const QString& folder);

/// @param file  Its path, for errors; where the paths in it count from.
/// @return Error "workspace.damaged" (no JSON, with the place), "workspace.foreign" (JSON of another kind),
///         "workspace.newer" (another schema), "workspace.too_much" (more or deeper than the limits above). A selection
///         of a capture that is not there, and lists that are none, are left out. O(bytes); any thread.
Result<Workspace> workspaceFromText(const QByteArray& text, const QString& file);

}  // namespace altiscope
