#pragma once

#include "core/session/find/slice_finder.h"
#include "views/common/support/translated.h"

#include <QWidget>

#include <array>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace altiscope {

class FindController;

/// The line in which slices are looked for: text with its options, where to look, how long they may be, and which of
/// how many is selected. Enter and Shift+Enter go on and back, Escape closes. GUI thread.
class FindBar : public Translated<QWidget> {
    Q_OBJECT
public:
    explicit FindBar(FindController& search, QWidget* parent = nullptr);

    /// Shows it with the focus in the text.
    void open();
    /// The same with a name to look for, of which the first slice is selected.
    void find(const QString& name);
    /// Ends the search: hits are forgotten.
    void close();

signals:
    void closed();
    /// The user is done with the line, and hits stay.
    void left();
    void listRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void retranslate() override;
    void leave();
    void requestHits();
    void showResult();

    FindController& m_search;
    QLineEdit* m_text;
    QLineEdit* m_lengths;
    QToolButton *m_case, *m_words, *m_regex;
    QToolButton* m_where;
    std::array<QAction*, 4> m_places{};  // names, tracks, shapes, arguments
    QCheckBox* m_onlySelected;
    QLabel* m_count;
    QToolButton *m_back, *m_on, *m_list, *m_close;
    bool m_lengthsWrong = false;
};

/// "100us": as long or longer; "100us..2ms": between; "..5ms": as short or shorter. Empty: any. False if it is none of
/// these.
bool readLengths(const QString& text, SliceQuery& query);

}  // namespace altiscope
