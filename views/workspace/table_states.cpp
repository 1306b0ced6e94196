#include "views/workspace/table_states.h"

#include "views/common/support/page_state.h"
#include "views/common/tables/table_panel.h"

#include <QJsonArray>
#include <QLineEdit>
#include <QTabWidget>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr qsizetype kMaxRestoredChips = 50, kMaxRestoredLetters = 10'000;

}  // namespace

QJsonObject stateOfTables(const QWidget& page) {
    QJsonObject tables, sorts;
    for (TablePanel* table : page.findChildren<TablePanel*>()) {
        if (const QJsonArray sort = table->sortState(); !sort.isEmpty()) sorts.insert(table->objectName(), sort);
        const QString text = table->filterBar().line()->text();
        const QStringList& chips = table->filterBar().chips();
        if (text.isEmpty() && chips.isEmpty()) continue;
        tables.insert(table->objectName(),
                      QJsonObject{{u"filter"_s, text}, {u"chips"_s, QJsonArray::fromStringList(chips)}});
    }
    QJsonArray tabs;
    for (const QTabWidget* tab : page.findChildren<QTabWidget*>()) tabs.append(tab->currentIndex());
    QJsonObject state;
    if (!tables.isEmpty()) state.insert("tables"_L1, tables);
    // Orders are no work that is worth a question: pages set some themselves as soon as they have rows.
    QJsonObject view;
    if (!tabs.isEmpty()) view.insert("tabs"_L1, tabs);
    if (!sorts.isEmpty()) view.insert("sorts"_L1, sorts);
    if (!view.isEmpty()) state.insert(PageState::kView, view);
    return state;
}

void restoreTables(const QWidget& page, const QJsonObject& state) {
    const QJsonObject tables = state.value("tables"_L1).toObject();
    const QJsonObject sorts = state.value(PageState::kView).toObject().value("sorts"_L1).toObject();
    for (TablePanel* table : page.findChildren<TablePanel*>()) {
        const QJsonObject wanted = tables.value(table->objectName()).toObject();
        FilterBar& filter = table->filterBar();
        filter.clear();
        const QJsonValue sort = sorts.value(table->objectName());
        if (sort.isArray()) table->restoreSort(sort.toArray());
        const QJsonArray chips = wanted.value("chips"_L1).toArray();
        for (qsizetype i = 0; i < std::min(chips.size(), kMaxRestoredChips); ++i) {
            const QString chip = chips.at(i).toString();
            if (!chip.isEmpty() && chip.size() <= kMaxRestoredLetters) filter.addChip(chip);
        }
        const QString text = wanted.value("filter"_L1).toString();
        if (!text.isEmpty() && text.size() <= kMaxRestoredLetters) filter.setText(text);
    }
    const QJsonArray tabs = state.value(PageState::kView).toObject().value("tabs"_L1).toArray();
    const auto widgets = page.findChildren<QTabWidget*>();
    if (tabs.size() != widgets.size()) return;
    for (qsizetype i = 0; i < tabs.size(); ++i) widgets[i]->setCurrentIndex(tabs.at(i).toInt());
}

}  // namespace altiscope
