#pragma once

#include "core/capture/methods/settings.h"
#include "views/capture/form/form_state.h"

#include <QWidget>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace altiscope {

class FieldEditor;
class ToneLabel;

/// The settings of a method: a row for each field of its table, with name, editor, unit and range, a button that takes
/// an edit back, and below it what is wrong with the value or why it has no effect. GUI thread.
class FieldForm : public QWidget {
    Q_OBJECT
public:
    explicit FieldForm(QWidget* parent = nullptr);

    /// Shows the rows; makes them anew only where the fields are others.
    void showRows(const capture::Settings& settings, const std::vector<RowState>& rows);
    /// Only rows whose name has this in it; empty: all.
    void setFilter(const QString& text);
    /// Widget from which Tab leads to the first field.
    void setTabAfter(QWidget* before) { m_before = before; }

    std::size_t rowCount() const { return m_rows.size(); }
    /// The editor of a field that is shown; null for others.
    FieldEditor* editor(std::string_view field) const;
    /// Text below its row; empty if there is none.
    QString message(std::string_view field) const;

signals:
    void edited(const QString& field, const QString& text);
    void takenBack(const QString& field);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        const capture::Field* field = nullptr;
        QLabel* name = nullptr;
        FieldEditor* editor = nullptr;
        QLabel* hint = nullptr;
        QToolButton* back = nullptr;
        ToneLabel* message = nullptr;
        bool isEdited = false;
    };

    void build(const capture::Settings& settings);
    void addRow(const capture::Field& field);
    void showRow(Row& row, const RowState& state);
    void applyFilter(Row& row);
    void retranslate();

    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    QString m_filter;
    QWidget* m_before = nullptr;
};

}  // namespace altiscope
