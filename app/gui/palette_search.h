#pragma once

#include "app/gui/window_services.h"
#include "core/session/job_runner.h"

#include <QObject>

#include <string>
#include <vector>

namespace altiscope {

class CommandPalette;
class WindowPages;
struct FoundName;
struct PaletteHit;

/// Finds for the palette, beside commands: findings, ranks and tracks of the open captures, and names of slices, by
/// what their stores know of each name. Goes with the palette. GUI thread; names are looked for on a worker.
class PaletteSearch : public QObject {
    Q_OBJECT
public:
    PaletteSearch(const WindowServices& services, WindowPages& pages, CommandPalette& palette);

private:
    void search(const QString& query);
    std::vector<PaletteHit> findings(const QString& query) const;
    std::vector<PaletteHit> ranks(const QString& query) const;
    std::vector<PaletteHit> tracks(const QString& query) const;
    PaletteHit hitOf(const FoundName& name) const;

    const WindowServices m_services;
    WindowPages& m_pages;
    CommandPalette& m_palette;
    JobSlot m_slot;
};

}  // namespace altiscope
