#include "views/sql/editor/editor_tabs.h"

#include "views/common/support/bare_layout.h"
#include "views/common/theme/icons.h"
#include "views/sql/editor/sql_editor.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QJsonObject>
#include <QMenu>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Time without a key after which texts are kept.
constexpr int kKeepMs = 500;

}  // namespace

EditorTabs::EditorTabs(const SqlVocabulary& vocabulary, const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_vocabulary(vocabulary), m_tabs(memory), m_bar(new QTabBar(this)),
      m_add(new QToolButton(this)), m_stack(new QStackedWidget(this)), m_pause(new QTimer(this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* strip = new QWidget(this);
    strip->setBackgroundRole(QPalette::Window);
    strip->setAutoFillBackground(true);
    auto* head = new QHBoxLayout(strip);
    head->setContentsMargins(0, 0, 8, 0);
    head->addWidget(m_bar);
    head->addWidget(m_add);
    head->addStretch(1);
    column->addWidget(strip);
    column->addWidget(m_stack, 1);
    m_bar->setDocumentMode(true);
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setMovable(true);
    m_bar->setUsesScrollButtons(true);
    m_bar->setElideMode(Qt::ElideNone);
    m_bar->setContextMenuPolicy(Qt::CustomContextMenu);
    m_add->setAutoRaise(true);
    m_add->setIcon(themedIcon(u"add"_s));
    m_pause->setSingleShot(true);
    m_pause->setInterval(kKeepMs);
    connect(m_pause, &QTimer::timeout, this, &EditorTabs::keep);
    connect(m_add, &QToolButton::clicked, this, &EditorTabs::addTab);
    connect(m_bar, &QTabBar::currentChanged, this, [this](int tab) {
        if (!m_isRebuilding && tab >= 0) show(static_cast<std::size_t>(tab));
    });
    connect(m_bar, &QTabBar::tabBarDoubleClicked, this, [this](int tab) {
        if (tab < 0) addTab();
        else promptName(tab);
    });
    connect(m_bar, &QTabBar::tabMoved, this, [this](int from, int to) {
        m_tabs.move(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
        m_pause->start();
    });
    connect(m_bar, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        const int tab = m_bar->tabAt(at);
        if (tab < 0) return;
        QMenu menu(this);
        menu.addAction(tr("&Rename…"), this, [this, tab] { promptName(tab); });
        menu.addAction(tr("&Close"), this, [this, tab] { closeTab(tab); });
        menu.exec(m_bar->mapToGlobal(at));
    });
    for (const QueryTab& tab : m_tabs.tabs()) makeEditor(tab);
    rebuild();
    retranslate();
}

EditorTabs::~EditorTabs() {
    if (m_pause->isActive()) keep();
}

SqlEditor& EditorTabs::editor() const { return *m_editors.at(m_tabs.tabs()[m_tabs.current()].id); }

SqlEditor* EditorTabs::makeEditor(const QueryTab& tab) {
    auto* editor = new SqlEditor(m_vocabulary, m_stack);
    editor->setPlainText(tab.text);
    editor->moveCursor(QTextCursor::End);
    m_stack->addWidget(editor);
    m_editors[tab.id] = editor;
    connect(editor, &SqlEditor::textChanged, this, [this, id = tab.id] { noteText(id); });
    connect(editor, &SqlEditor::cursorPositionChanged, this, &EditorTabs::textChanged);
    connect(editor, &SqlEditor::hintChanged, this, &EditorTabs::hintChanged);
    connect(editor, &SqlEditor::runRequested, this, &EditorTabs::runRequested);
    connect(editor, &SqlEditor::historyRequested, this, &EditorTabs::historyRequested);
    return editor;
}

void EditorTabs::noteText(std::uint64_t id) {
    const std::size_t place = m_tabs.find(id);
    if (place != m_tabs.current()) return;
    m_tabs.tab().text = editor().toPlainText();
    m_pause->start();
    emit textChanged();
}

void EditorTabs::keep() {
    m_pause->stop();
    m_tabs.keep();
}

/// The tabs of the bar by those that are open.
void EditorTabs::rebuild() {
    m_isRebuilding = true;
    while (m_bar->count() > 0) m_bar->removeTab(0);
    for (const QueryTab& tab : m_tabs.tabs()) {
        const int at = m_bar->addTab(QString(tab.name).replace(u'&', u"&&"_s));
        m_bar->setTabToolTip(at, tab.name);
        m_bar->setTabButton(at, QTabBar::RightSide, closeButton(tab.id));
    }
    m_bar->setCurrentIndex(static_cast<int>(m_tabs.current()));
    m_isRebuilding = false;
    m_add->setEnabled(m_tabs.canAdd());
    show(m_tabs.current());
}

/// That of the style is loud.
QToolButton* EditorTabs::closeButton(std::uint64_t id) {
    auto* button = new QToolButton(m_bar);
    button->setAutoRaise(true);
    button->setIcon(themedIcon(u"close"_s, IconTone::Muted));
    button->setIconSize(QSize(1, 1) * (fontMetrics().height() * 3 / 4));
    button->setFocusPolicy(Qt::NoFocus);
    button->setToolTip(tr("Close (Ctrl+F4)"));
    button->setAccessibleName(tr("Close"));
    connect(button, &QToolButton::clicked, this, [this, id] { closeTab(static_cast<int>(m_tabs.find(id))); });
    return button;
}

void EditorTabs::show(std::size_t tab) {
    m_tabs.choose(tab);
    SqlEditor& shown = editor();
    const bool hadFocus = m_stack->currentWidget() != nullptr && m_stack->currentWidget()->hasFocus();
    m_stack->setCurrentWidget(&shown);
    setFocusProxy(&shown);
    if (hadFocus) shown.setFocus();
    m_pause->start();
    emit currentChanged();
}

// --- what the user does ------------------------------------------------------------------------------------------

void EditorTabs::addTab() {
    if (!m_tabs.canAdd())
        return emit refused(tr("No more than %1 tabs can be open: close one.").arg(QueryTabs::kMaxTabs));
    m_tabs.add({}, {});
    makeEditor(m_tabs.tab());
    rebuild();
    editor().setFocus();
}

void EditorTabs::closeTab(int tab) {
    const std::uint64_t id = m_tabs.tabs()[static_cast<std::size_t>(tab)].id;
    SqlEditor* gone = m_editors.at(id);
    const bool hadFocus = gone->hasFocus();
    m_tabs.close(static_cast<std::size_t>(tab));
    m_editors.erase(id);
    if (!m_editors.contains(m_tabs.tab().id)) makeEditor(m_tabs.tab());
    rebuild();
    gone->deleteLater();
    if (hadFocus) editor().setFocus();
    emit tabClosed(id);
}

void EditorTabs::rename(int tab, const QString& name) {
    m_tabs.rename(static_cast<std::size_t>(tab), name);
    const QString& given = m_tabs.tabs()[static_cast<std::size_t>(tab)].name;
    m_bar->setTabText(tab, QString(given).replace(u'&', u"&&"_s));
    m_bar->setTabToolTip(tab, given);
    m_pause->start();
}

void EditorTabs::promptName(int tab) {
    bool isGiven = false;
    const QString name = QInputDialog::getText(this, tr("Rename the tab"), tr("Name:"), QLineEdit::Normal,
                                               m_tabs.tabs()[static_cast<std::size_t>(tab)].name, &isGiven);
    if (isGiven) rename(tab, name);
}

void EditorTabs::chooseNext(int direction) {
    const int count = m_bar->count();
    m_bar->setCurrentIndex((m_bar->currentIndex() + direction + count) % count);
}

void EditorTabs::open(const StoredQuery& query) {
    if (!tab().text.trimmed().isEmpty()) {
        if (!m_tabs.canAdd())
            return emit refused(tr("No more than %1 tabs can be open: close one.").arg(QueryTabs::kMaxTabs));
        m_tabs.add(query.title, {});
        makeEditor(m_tabs.tab());
        rebuild();
    } else {
        rename(static_cast<int>(m_tabs.current()), query.title);
    }
    tab().values = query.values;
    editor().setPlainText(query.sql);
    editor().moveCursor(QTextCursor::End);
    editor().setFocus();
}

QJsonArray EditorTabs::state() const {
    QJsonArray list;
    for (const QueryTab& tab : m_tabs.tabs()) {
        if (tab.text.trimmed().isEmpty() || tab.text.size() > QueryTabs::kMaxKeptLetters) continue;
        QJsonObject values;
        for (auto value = tab.values.begin(); value != tab.values.end(); ++value)
            values.insert(value.key(), value.value());
        list.append(QJsonObject{{u"name"_s, tab.name}, {u"text"_s, tab.text}, {u"values"_s, values}});
    }
    return list;
}

bool EditorTabs::choose(const QString& text) {
    const auto& known = m_tabs.tabs();
    const auto found = std::find_if(known.begin(), known.end(), [&](const QueryTab& tab) { return tab.text == text; });
    if (found == known.end()) return false;
    m_bar->setCurrentIndex(static_cast<int>(found - known.begin()));
    return true;
}

void EditorTabs::restore(const QJsonArray& tabs, const QString& current) {
    const auto placeOf = [this](const QString& text, const QString& name) {
        const auto& known = m_tabs.tabs();
        const auto found = std::find_if(known.begin(), known.end(), [&](const QueryTab& tab) {
            return tab.text == text && (name.isEmpty() || tab.name == name);
        });
        return static_cast<std::size_t>(found - known.begin());
    };
    for (const QJsonValue& one : tabs) {
        const QJsonObject said = one.toObject();
        const QString text = said.value("text"_L1).toString(), name = said.value("name"_L1).toString().simplified();
        if (text.isEmpty() || text.size() > QueryTabs::kMaxKeptLetters) continue;
        if (placeOf(text, name) < m_tabs.tabs().size()) continue;
        if (!m_tabs.tab().text.trimmed().isEmpty()) {
            if (!m_tabs.canAdd()) {
                emit refused(tr("No more than %1 tabs can be open: close one.").arg(QueryTabs::kMaxTabs));
                break;
            }
            m_tabs.add({}, {});
            makeEditor(m_tabs.tab());
        }
        m_tabs.rename(m_tabs.current(), name);
        m_tabs.tab().text = text;
        const QJsonObject values = said.value("values"_L1).toObject();
        for (auto value = values.begin(); value != values.end(); ++value)
            m_tabs.tab().values.insert(value.key(), value.value().toString());
        editor().setPlainText(text);
        editor().moveCursor(QTextCursor::End);
    }
    if (const std::size_t place = placeOf(current, {}); place < m_tabs.tabs().size()) m_tabs.choose(place);
    rebuild();
    m_pause->start();
}

void EditorTabs::append(const QString& statement) {
    QString before = editor().toPlainText().trimmed();
    QTextCursor cursor = editor().textCursor();
    cursor.movePosition(QTextCursor::End);
    if (!before.isEmpty()) cursor.insertText(before.endsWith(u';') ? u"\n\n"_s : u";\n\n"_s);
    cursor.insertText(statement);
    editor().setTextCursor(cursor);
    editor().setFocus();
}

void EditorTabs::replaceStatement(const QString& statement) {
    const TextSpan span = statementAt(editor().toPlainText(), editor().textCursor().position());
    QTextCursor cursor = editor().textCursor();
    if (!span.empty()) {
        cursor.setPosition(static_cast<int>(span.begin));
        cursor.setPosition(static_cast<int>(span.end), QTextCursor::KeepAnchor);
    }
    cursor.insertText(statement);
    editor().setTextCursor(cursor);
}

void EditorTabs::retranslate() {
    m_bar->setAccessibleName(tr("Open queries"));
    m_add->setToolTip(tr("New tab (Ctrl+T)"));
    m_add->setAccessibleName(tr("New tab"));
    for (const auto& [id, editor] : m_editors) {
        editor->setAccessibleName(tr("SQL statements"));
        editor->setPlaceholderText(
            tr("SELECT … FROM slice …    Ctrl+Space: tables, columns and functions. Ctrl+Enter: run."));
    }
}

}  // namespace altiscope
