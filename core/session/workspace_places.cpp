#include "core/session/workspace_places.h"

#include <QFileInfo>

#include <utility>

namespace altiscope {

namespace {

QString cutLast(const QString& path) {
    const qsizetype slash = path.lastIndexOf(u'/');
    return slash <= 0 ? QString() : path.first(slash);
}
QString lastOf(const QString& path) { return path.sliced(path.lastIndexOf(u'/') + 1); }

}  // namespace

PlacedWorkspace placeWorkspace(Workspace workspace, const QString& file, const std::map<std::string, QString>& recent) {
    PlacedWorkspace placed{std::move(workspace), {}, {}};
    const QString folder = QFileInfo(file).absolutePath();
    for (WorkspaceCapture& capture : placed.workspace.captures) {
        bool isThere = QFileInfo::exists(capture.path), wasMoved = false;
        const auto known = recent.find(capture.identity);
        const QString beside = folder + u'/' + lastOf(capture.path);
        const QString elsewhere = known == recent.end() || capture.identity.empty() ? QString() : known->second;
        for (const QString& place : {beside, elsewhere}) {
            if (isThere || place.isEmpty() || !QFileInfo::exists(place)) continue;
            capture.path = place;
            isThere = wasMoved = true;
        }
        placed.isThere.push_back(isThere);
        placed.wasMoved.push_back(wasMoved);
    }
    return placed;
}

QString relocatedPath(const QString& path, const QString& from, const QString& to) {
    QString before = cutLast(from), after = cutLast(to);
    // A renamed folder says where its neighbours are.
    if (lastOf(from) == lastOf(to)) {
        while (!before.isEmpty() && !after.isEmpty() && lastOf(before) == lastOf(after)) {
            before = cutLast(before);
            after = cutLast(after);
        }
    }
    return path.startsWith(before + u'/') ? after + path.sliced(before.size()) : path;
}

void relocate(PlacedWorkspace& placed, const QString& from, const QString& to) {
    for (std::size_t i = 0; i < placed.workspace.captures.size(); ++i) {
        if (placed.isThere[i]) continue;
        QString& path = placed.workspace.captures[i].path;
        const QString now = path == from ? to : relocatedPath(path, from, to);
        if (!QFileInfo::exists(now)) continue;
        path = now;
        placed.isThere[i] = placed.wasMoved[i] = true;
    }
}

}  // namespace altiscope
