#pragma once

#include "views/timeline/rows/timeline_model.h"
#include "views/timeline/rows/track_names.h"

#include <QJsonObject>

namespace altiscope {

/// How rows are arranged, hidden and expanded, by names: what is kept in settings and applied to other captures. An
/// entry is for all ranks on which there is such a row, unless it names ranks.
///
/// {"pinned": [ROWS], "hidden": [ROWS], "opened": [ROWS], "closed": [ROWS], "heights": [ROWS with "open", "shut"],
///  "order": [{"of": ROWS, "rows": [NAME]}], "ranks": [RANK] (their order), "merged": [{"process", "tracks": [NAME],
///  "ranks"}]},
/// where ROWS is a NAME (see TrackNames) with "ranks".
struct TrackLayout {
    TrackArrangement arrangement;
    std::unordered_set<RowKey, RowKeyHash> hidden;
    RowExpansion expansion;
};

// Pure; GUI thread; O(tracks + what is arranged).

/// The part of one capture.
QJsonObject savedLayout(const TrackNames& names, const TrackArrangement& arrangement, const TrackFilter& filter,
                        const RowExpansion& expansion);
/// Meaning of a saved layout for a capture: rows that it does not have are not shown.
TrackLayout layoutFor(const TrackNames& names, const QJsonObject& saved);
/// Puts what a layout says about its capture in the place of what is said about that in `all`; other captures keep
/// theirs.
TrackLayout withLayout(TrackLayout all, CaptureId capture, const TrackLayout& layout);

}  // namespace altiscope
