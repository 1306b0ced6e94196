#pragma once

#include "views/memory/data/curve_envelopes.h"

#include <QListWidget>

namespace altiscope {

/// Names of curves with their colours; each can be hidden. GUI thread.
class CurveLegend : public QListWidget {
    Q_OBJECT
public:
    explicit CurveLegend(QWidget* parent = nullptr);

    void setLines(const std::vector<CurveLine>& lines);

signals:
    void shownChanged(int line, bool shown);

protected:
    void changeEvent(QEvent* event) override;

private:
    void colour();

    std::vector<std::size_t> m_hues;
    std::vector<bool> m_dashed;  ///< By line: of the base.
    bool m_filling = false;
};

}  // namespace altiscope
