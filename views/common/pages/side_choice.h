#pragma once

#include "core/base/values/ids.h"
#include "views/common/support/page_state.h"
#include "views/common/support/translated.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;

namespace altiscope {

/// Which capture, ranks and steps stand on one side of a comparison. GUI thread.
class SideChoice : public Translated<QWidget> {
    Q_OBJECT
public:
    explicit SideChoice(QWidget* parent = nullptr);

    /// The open captures by OpenCapture::id; the chosen one stays if it is among them, else it is the last one.
    void setCaptures(const std::vector<std::pair<CaptureId, QString>>& captures);
    CaptureId capture() const;  ///< kNoCapture: none.
    QString captureName() const;
    void choose(CaptureId capture);
    QString ranksText() const;
    QString stepsText() const;
    void setParts(const QString& ranks, const QString& steps);
    /// {"capture":INDEX,"ranks":TEXT,"steps":TEXT}
    QJsonObject state(const WorkspaceIds& captures) const;
    void restore(const QJsonObject& state, const WorkspaceIds& captures);
    /// nullopt: all. @pre isPossible()
    std::optional<std::vector<std::int64_t>> ranks() const;
    std::optional<std::vector<std::int64_t>> steps() const;
    /// Both texts are lists of numbers.
    bool isPossible() const;
    void setTitle(const QString& title);
    /// So that sides below each other stand in line.
    int titleWidth() const;
    void setTitleWidth(int width);

signals:
    void changed();

private:
    void showProblems();
    void retranslate() override;

    QLabel *m_title, *m_ranksName, *m_stepsName;
    QComboBox* m_capture;
    QLineEdit *m_ranks, *m_steps;
};

}  // namespace altiscope
