#include "views/overview/base_chooser.h"

#include "core/base/values/parse.h"
#include "core/tables/overview/overview_numbers.h"
#include "views/common/pages/page_base.h"
#include "views/common/pages/side_choice.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QActionGroup>
#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// More are written in the dialog, not chosen from a menu.
constexpr std::size_t kMaxInMenu = 64;

std::vector<std::int64_t> ranksOf(const CaptureStore& store) {
    std::vector<std::int64_t> numbers;
    for (const RankEntry& rank : store.ranks)
        if (rank.info.rankId) numbers.push_back(*rank.info.rankId);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

}  // namespace

BaseChooser::BaseChooser(Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent), m_session(session), m_selection(selection), m_button(new QToolButton(this)),
      m_clear(new QToolButton(this)), m_menu(new QMenu(this)) {
    auto* row = bareLayout<QHBoxLayout>(this);
    row->addWidget(m_button);
    row->addWidget(m_clear);
    m_button->setAutoRaise(true);
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setMenu(m_menu);
    m_clear->setAutoRaise(true);
    m_clear->setIcon(themedIcon(u"close"_s));
    connect(m_menu, &QMenu::aboutToShow, this, [this] {
        m_menu->clear();
        fill(*m_menu);
    });
    connect(m_clear, &QToolButton::clicked, this, [this] { choose(std::nullopt); });
    connect(&selection, &Selection::changed, this, &BaseChooser::refresh);
    connect(&selection, &Selection::shownCaptureChanged, this, &BaseChooser::refresh);
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &BaseChooser::refresh);
    refresh();
}

const OpenCapture* BaseChooser::shown() const {
    const OpenCapture* open = m_session.capture(m_selection.shownCapture());
    if (open == nullptr && !m_session.captures().empty()) open = &m_session.captures().back();
    return open;
}

bool BaseChooser::isOffered() const {
    if (m_selection.current().base) return true;
    const OpenCapture* open = shown();
    if (open == nullptr || open->store == nullptr) return false;
    return m_session.captures().size() > 1 || ranksOf(*open->store).size() > 1 || stepNumbers(*open->store).size() > 1;
}

QString BaseChooser::text() const { return m_button->text(); }

void BaseChooser::choose(std::optional<BaseChoice> base) { m_selection.setBase(std::move(base)); }

void BaseChooser::fillNumbers(QMenu& menu, std::vector<std::int64_t> BaseChoice::*numbers,
                              const std::vector<std::int64_t>& known) {
    const OpenCapture* open = shown();
    const BaseChoice now =
        m_selection.current().base.value_or(BaseChoice{.capture = open->id, .ranks = {}, .steps = {}});
    auto* group = new QActionGroup(&menu);
    const auto add = [&](const QString& title, std::vector<std::int64_t> list) {
        QAction* action = menu.addAction(title);
        action->setCheckable(true);
        action->setChecked(now.*numbers == list);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, now, numbers, list = std::move(list)] {
            BaseChoice base = now;
            base.*numbers = list;
            choose(std::move(base));
        });
    };
    add(tr("As shown"), {});
    menu.addSeparator();
    for (std::size_t i = 0; i < std::min(known.size(), kMaxInMenu); ++i) add(QString::number(known[i]), {known[i]});
    if (known.size() > kMaxInMenu) menu.addAction(tr("Others…"), this, &BaseChooser::promptRanks);
}

void BaseChooser::fill(QMenu& menu) {
    const OpenCapture* open = shown();
    if (open == nullptr || open->store == nullptr) return;
    const auto base = m_selection.baseOf(open->id);
    auto* group = new QActionGroup(&menu);
    const auto add = [&](const QString& title, bool isChosen, std::optional<BaseChoice> choice) {
        QAction* action = menu.addAction(title);
        action->setCheckable(true);
        action->setChecked(isChosen);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice] { choose(choice); });
    };
    add(tr("&No base"), !base.has_value(), std::nullopt);
    for (const OpenCapture& capture : m_session.captures()) {
        if (capture.id == open->id || capture.error) continue;
        add(QString(capture.title).replace(u'&', u"&&"_s), base && base->capture == capture.id,
            BaseChoice{.capture = capture.id, .ranks = {}, .steps = {}});
    }
    const OpenCapture* of = base ? m_session.capture(base->capture) : open;
    if (of == nullptr || of->store == nullptr) of = open;
    menu.addSeparator();
    const std::vector<std::int64_t> ranks = ranksOf(*of->store), steps = stepNumbers(*of->store);
    if (ranks.size() > 1) fillNumbers(*menu.addMenu(tr("&Rank")), &BaseChoice::ranks, ranks);
    if (steps.size() > 1) fillNumbers(*menu.addMenu(tr("&Step")), &BaseChoice::steps, steps);
    menu.addAction(tr("Ranks &and steps…"), this, &BaseChooser::promptRanks);
}

/// Capture, ranks and steps as lists.
void BaseChooser::promptRanks() {
    const OpenCapture* open = shown();
    if (open == nullptr) return;
    QDialog dialog(window());
    dialog.setWindowTitle(tr("Base to compare with"));
    auto* column = new QVBoxLayout(&dialog);
    auto* side = new SideChoice(&dialog);
    std::vector<std::pair<CaptureId, QString>> captures;
    for (const OpenCapture& capture : m_session.captures())
        if (!capture.error) captures.emplace_back(capture.id, capture.title);
    side->setTitle(tr("&Base"));
    side->setCaptures(captures);
    const BaseChoice now =
        m_selection.current().base.value_or(BaseChoice{.capture = open->id, .ranks = {}, .steps = {}});
    side->choose(now.capture);
    side->setParts(toQString(numberRanges(now.ranks)), toQString(numberRanges(now.steps)));
    column->addWidget(side);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
    column->addWidget(buttons);
    const auto check = [side, buttons] { buttons->button(QDialogButtonBox::Ok)->setEnabled(side->isPossible()); };
    connect(side, &SideChoice::changed, &dialog, check);
    connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    if (dialog.exec() != QDialog::Accepted || !side->isPossible()) return;
    choose(BaseChoice{.capture = side->capture(),
                      .ranks = side->ranks().value_or(std::vector<std::int64_t>()),
                      .steps = side->steps().value_or(std::vector<std::int64_t>())});
}

void BaseChooser::refresh() {
    const OpenCapture* open = shown();
    const CaptureId id = open == nullptr ? kNoCapture : open->id;
    const auto base = m_selection.baseOf(id);
    const QString title = base ? baseTitle(m_session, *base, id) : tr("none", "a base");
    m_button->setText(tr("Base: %1").arg(title));
    m_button->setToolTip(tr("What all pages compare with: Overview, Operators, Memory and Communication show it "
                            "beside the rest"));
    m_button->setAccessibleName(m_button->text());
    m_clear->setVisible(m_selection.current().base.has_value());
    m_clear->setToolTip(tr("Compare with nothing"));
    m_clear->setAccessibleName(m_clear->toolTip());
    emit changed();
}

void BaseChooser::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
