#include "views/settings/storage_page.h"

#include "core/session/cache_view.h"
#include "core/session/reading/load_estimate.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <initializer_list>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr int kMaxGiB = 100'000;
constexpr int kGroup = 16;

QString shownPath(const std::filesystem::path& path) { return QFile::decodeName(path.c_str()); }

std::filesystem::path pathOf(const QString& text) { return QFile::encodeName(QDir::cleanPath(text)).toStdString(); }

int inGiB(std::uint64_t bytes) { return static_cast<int>(std::min<std::uint64_t>((bytes + kGiB - 1) / kGiB, kMaxGiB)); }

}  // namespace

StoragePage::StoragePage(JobRunner& jobs, std::uint64_t memory, QWidget* parent)
    : QWidget(parent), m_counting(jobs), m_clearing(jobs), m_cacheTitle(new QLabel(this)),
      m_folderTitle(new QLabel(this)), m_folder(new QLineEdit(this)), m_browse(new QPushButton(this)),
      m_problem(new QLabel(this)), m_limitTitle(new QLabel(this)), m_limit(new QSpinBox(this)),
      m_useTitle(new QLabel(this)), m_useText(new QLabel(this)), m_clear(new QPushButton(this)),
      m_memoryHeading(new QLabel(this)), m_memoryTitle(new QLabel(this)), m_memory(new QSpinBox(this)),
      m_memoryAbout(new QLabel(this)) {
    for (QPushButton* button : {m_browse, m_clear}) button->setAutoDefault(false);
    for (QLabel* text : {m_problem, m_memoryAbout, m_cacheTitle}) text->setWordWrap(true);
    for (QSpinBox* box : {m_limit, m_memory}) box->setKeyboardTracking(false);
    m_limit->setRange(1, kMaxGiB);
    m_limit->setValue(inGiB(cacheChoice().limit));
    m_memory->setRange(0, kMaxGiB);
    m_memory->setValue(inGiB(memory));
    m_folder->setPlaceholderText(shownPath(standardCacheFolder()));
    m_folder->setText(shownPath(cacheChoice().folder));
    m_folder->setClearButtonEnabled(true);
    m_problem->hide();
    m_folderTitle->setBuddy(m_folder);
    m_limitTitle->setBuddy(m_limit);
    m_memoryTitle->setBuddy(m_memory);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    int row = 0;
    grid->addWidget(m_cacheTitle, row++, 0, 1, 3);
    grid->addWidget(m_folderTitle, row, 0);
    grid->addWidget(m_folder, row, 1);
    grid->addWidget(m_browse, row++, 2);
    grid->addWidget(m_problem, row++, 1, 1, 2);
    grid->addWidget(m_limitTitle, row, 0);
    grid->addWidget(m_limit, row++, 1, Qt::AlignLeft);
    grid->addWidget(m_useTitle, row, 0);
    grid->addWidget(m_useText, row, 1);
    grid->addWidget(m_clear, row++, 2);
    grid->setRowMinimumHeight(row++, kGroup);
    grid->addWidget(m_memoryHeading, row++, 0, 1, 3);
    grid->addWidget(m_memoryTitle, row, 0);
    grid->addWidget(m_memory, row++, 1, Qt::AlignLeft);
    grid->addWidget(m_memoryAbout, row++, 1, 1, 2);
    grid->setRowStretch(row, 1);
    connect(m_folder, &QLineEdit::editingFinished, this, &StoragePage::readFolder);
    connect(m_folder, &QLineEdit::textChanged, this, [this](const QString& text) {
        // The button in the line empties it.
        if (text.isEmpty()) readFolder();
    });
    connect(m_browse, &QPushButton::clicked, this, &StoragePage::browse);
    connect(m_limit, &QSpinBox::valueChanged, this, &StoragePage::readLimit);
    connect(m_clear, &QPushButton::clicked, this, &StoragePage::clear);
    connect(m_memory, &QSpinBox::valueChanged, this,
            [this](int gib) { emit memoryChosen(static_cast<quint64>(gib) * kGiB); });
    retranslate();
}

StoragePage::~StoragePage() {
    // As it goes, a field that has the focus still says that it was written in.
    for (QWidget* field : std::initializer_list<QWidget*>{m_folder, m_limit, m_memory}) field->disconnect(this);
}

void StoragePage::browse() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of the cache"), shownPath(cacheFolder(std::nullopt)));
    if (folder.isEmpty()) return;
    m_folder->setText(folder);
    readFolder();
}

void StoragePage::readFolder() {
    const QString text = m_folder->text().trimmed();
    CacheChoice choice = cacheChoice();
    const std::filesystem::path folder = text.isEmpty() ? std::filesystem::path() : pathOf(text);
    const auto problem = text.isEmpty() ? std::nullopt : problemOfCacheFolder(folder);
    m_problem->setVisible(problem.has_value());
    if (problem) {
        QPalette red = m_problem->palette();
        red.setColor(QPalette::WindowText, themeOf(palette()).error);
        m_problem->setPalette(red);
        switch (*problem) {
        case CacheFolderProblem::Relative: return m_problem->setText(tr("Enter the whole path of a folder."));
        case CacheFolderProblem::InCapture:
            return m_problem->setText(tr("This folder lies in a capture, in which nothing is written. The cache stays "
                                         "where it was."));
        case CacheFolderProblem::NotPrivate:
            return m_problem->setText(tr("This folder is another user's, or others may write into it: what lies there "
                                         "could be anybody's. The cache stays where it was."));
        }
    }
    if (folder == choice.folder) return;
    choice.folder = folder;
    chooseCache(std::move(choice));
    emit cacheChosen();
    count();
}

void StoragePage::readLimit() {
    CacheChoice choice = cacheChoice();
    choice.limit = static_cast<std::uint64_t>(m_limit->value()) * kGiB;
    chooseCache(std::move(choice));
    emit cacheChosen();
}

void StoragePage::count() {
    m_isCounted = false;
    showUse();
    m_counting.start([folder = cacheFolder(std::nullopt)](const CancelToken&) { return cacheUse(folder); },
                     [this](const CacheUse& use) {
                         m_use = use;
                         m_isCounted = true;
                         showUse();
                     });
}

void StoragePage::clear() {
    m_clear->setEnabled(false);
    m_clearing.start(
        [folder = cacheFolder(std::nullopt)](const CancelToken& cancel) { return clearCache(folder, cancel); },
        [this](std::size_t) { count(); });
}

void StoragePage::showUse() {
    m_clear->setEnabled(m_isCounted && m_use.entries > 0);
    m_useText->setText(!m_isCounted ? tr("Counting…")
                       : m_use.entries == 0
                           ? tr("Empty")
                           : withCount(tr("%1 in %n entry(ies)", nullptr, pluralCount(m_use.entries)), m_use.entries)
                                 .arg(formatBytes(m_use.bytes)));
}

void StoragePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
    QWidget::changeEvent(event);
}

void StoragePage::showEvent(QShowEvent* event) {
    count();
    QWidget::showEvent(event);
}

void StoragePage::retranslate() {
    m_cacheTitle->setText(tr("The cache keeps what was read, so that a capture opens faster the next time."));
    m_folderTitle->setText(tr("&Folder"));
    m_browse->setText(tr("&Browse…"));
    m_limitTitle->setText(tr("Li&mit"));
    m_limit->setSuffix(u' ' + tr("GiB"));
    m_limit->setToolTip(tr("The entries that were not used for longest go first, with the next capture that is read"));
    m_useTitle->setText(tr("In use"));
    m_clear->setText(tr("&Clear"));
    m_clear->setToolTip(tr("Removes all entries: captures are read anew"));
    m_memoryHeading->setText(tr("Memory"));
    m_memoryTitle->setText(tr("Read &up to"));
    m_memory->setSuffix(u' ' + tr("GiB"));
    m_memory->setSpecialValueText(tr("Automatic (%1)").arg(formatBytes(estimateReading(autoLoadLimit()).memory)));
    m_memoryAbout->setText(tr("A capture that takes more opens with its first ranks; the others are read on request. "
                              "Counts for captures that open from now on."));
    QPalette quiet = m_memoryAbout->palette();
    quiet.setColor(QPalette::WindowText, themeOf(palette()).muted);
    m_memoryAbout->setPalette(quiet);
    if (!m_problem->isHidden()) readFolder();
    showUse();
}

}  // namespace altiscope
