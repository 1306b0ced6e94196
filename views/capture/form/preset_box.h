#pragma once

#include "core/capture/methods/method.h"
#include "views/capture/form/own_presets.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QComboBox;
class QToolButton;

namespace altiscope {

/// The presets of a method: those of the program, and those that the user has saved or imported. GUI thread.
class PresetBox : public QWidget {
    Q_OBJECT
public:
    explicit PresetBox(const ViewMemory& memory, QWidget* parent = nullptr);

    void setMethod(const capture::Method& method);
    /// Shows one of presetNames(), or none; does not signal.
    void showBase(const std::string& base);
    /// Edits as they are, for who saves them.
    void setEdits(const std::vector<capture::Assignment>& edits) { m_edits = edits; }
    /// One of presetNames(), or empty; also that below an own preset.
    std::string base() const;
    /// Edits of the own preset that is chosen; nullopt for the program's.
    std::optional<std::vector<capture::Assignment>> ownEdits() const;
    /// Keeps the edits of the moment under a name, and chooses that.
    void save(const QString& name);

signals:
    void chosen();
    void statusMessage(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill(const QString& own);
    const OwnPreset* current() const;
    void promptName();
    void removeCurrent();
    void importFile();
    void exportFile();
    void retranslate();

    ViewMemory m_memory;
    const capture::Method* m_method = nullptr;
    std::vector<capture::Assignment> m_edits;
    std::vector<OwnPreset> m_own;
    QComboBox* m_box;
    QToolButton* m_more;
    QAction* m_save;
    QAction* m_remove;
    QAction* m_import;
    QAction* m_export;
};

}  // namespace altiscope
