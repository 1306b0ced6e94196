#pragma once

#include "core/base/values/ids.h"
#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"
#include "views/report/output/report_choices.h"

#include <QJsonObject>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace altiscope {

class PictureList;

/// Choices and texts of the user for a report: title, notes, sections, a base to compare with, pictures. Remembers
/// the sections. GUI thread.
class ReportForm : public Translated<QWidget> {
    Q_OBJECT
public:
    explicit ReportForm(const ViewMemory& memory, QWidget* parent = nullptr);

    ReportChoices choices() const;
    /// Title, notes and the sections that are not wanted: {"title","notes","without":[ID]}.
    QJsonObject state() const;
    void restore(const QJsonObject& state);
    /// Title in place of an empty one.
    void setOwnTitle(const QString& title);
    /// Which ranks and steps it will be about, in words.
    void setScope(const QString& scope);
    /// Captures that it can be compared with, by OpenCapture::id; the chosen one stays if it is among them.
    void setBases(const std::vector<std::pair<CaptureId, QString>>& bases);
    CaptureId base() const;  ///< kNoCapture: none.
    void setBase(CaptureId base);
    PictureList& pictures() { return *m_pictures; }

signals:
    void changed();      ///< choices()
    void baseChanged();  ///< base()

private:
    QLabel* addLabel(class QVBoxLayout& column, QWidget* buddy);
    void refreshSections();
    void retranslate() override;

    ViewMemory m_memory;
    QLineEdit* m_title;
    QPlainTextEdit* m_notes;
    QComboBox* m_base;
    QLabel* m_scope;
    PictureList* m_pictures;
    std::vector<std::pair<std::string, QCheckBox*>> m_sections;  ///< By id.
    QLabel *m_titleName, *m_notesName, *m_sectionsName, *m_scopeName, *m_baseName, *m_picturesName;
};

}  // namespace altiscope
