#pragma once

#include <QWidget>

#include <memory>

namespace altiscope {

class Selection;
class Session;

/// Everything that is known of the selected slice: name, track, times, self time, parent, every argument, call stack and
/// linked slices; of a selected range its length; otherwise a sentence that says what to do. Reading the source happens on
/// a worker. A click on a parent or linked slice selects and reveals it. GUI thread.
class DetailsPanel : public QWidget {
    Q_OBJECT
public:
    /// Session and selection must outlive the panel.
    DetailsPanel(Session& session, Selection& selection, QWidget* parent = nullptr);
    ~DetailsPanel() override;

    /// No answer is under way.
    bool idle() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace altiscope
