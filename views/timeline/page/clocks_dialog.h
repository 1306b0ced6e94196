#pragma once

#include "views/timeline/scene/timeline_scene.h"

#include <QDialog>

#include <cstdint>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QTableWidget;

namespace altiscope {

/// By what a rank is to be moved: "-1500", "-1.5 us", "2 ms"; without a unit in ns. nullopt if it is no such time, or
/// one of more than 146 years.
std::optional<DurationNs> readShift(const QString& text);

/// The ranks of all captures and how far each is drawn from where it was recorded, to be changed by hand. GUI thread.
class ClocksDialog : public QDialog {
    Q_OBJECT
public:
    explicit ClocksDialog(const TimelineScene& scene, QWidget* parent = nullptr);

signals:
    /// Shifts of a capture's ranks, in ns, as CaptureStore::ranks.
    void applied(CaptureId capture, const std::vector<std::int64_t>& shifts);

private:
    struct Line {
        std::uint32_t source = 0;
        RankIndex rank{};
        std::int64_t shift = 0;
        std::optional<TimeNs> first;  ///< Its first event, as recorded.
    };
    void fill();
    void refresh();
    void read(int row);
    void set(std::size_t line, std::int64_t shift);
    void alignToStart();
    void resetAll();
    void apply();
    QString titleOf(const Line& line) const;

    TimeNs m_origin;
    std::vector<TimelineSource> m_sources;
    std::vector<Line> m_lines;
    QTableWidget* m_table;
    QLabel* m_problem;
    QPushButton* m_ok = nullptr;
    QPushButton* m_apply = nullptr;
    std::vector<std::size_t> m_wrong;  // lines whose text is no time
};

}  // namespace altiscope
