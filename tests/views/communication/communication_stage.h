#pragma once

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/pages/message_page.h"
#include "views/common/support/finding_settings.h"
#include "views/communication/communication_page.h"
#include "views/communication/panels/matrix_view.h"
#include "views/communication/panels/settings_bar.h"

#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

namespace altiscope::test {

/// Four ranks with a link that is much slower than the others, as files that a test may change before they are opened.
struct SlowLinkCapture {
    SlowLinkCapture() {
        const std::vector<std::string> words{path().toStdString(), "--ranks", "4",       "--steps",      "2",
                                             "--layers",           "2",       "--plant", "slow-link=1-3"};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(QStringLiteral("capture")); }
    QString rank(int number) const { return path() + QStringLiteral("/rank%1_ascend_pt").arg(number); }
    void remove(int number, const QString& file) const {
        QVERIFY(QFile::remove(rank(number) + QStringLiteral("/ASCEND_PROFILER_OUTPUT/") + file));
    }

    QTemporaryDir folder;
    bool made = false;
};

/// Rewrites a file of JSON.
template <class Change>
void changeJson(const QString& path, Change change) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QJsonObject content = QJsonDocument::fromJson(file.readAll()).object();
    change(content);
    QVERIFY(!content.isEmpty());
    file.resize(0);
    file.write(QJsonDocument(content).toJson());
}

/// As a user chooses from one of the lists "step", "group", "operator". @param data  Of the item.
inline void choose(const SettingsBar& bar, const QString& list, const QString& data) {
    auto* box = bar.findChild<QComboBox*>(list);
    QVERIFY(box != nullptr && box->findData(data) >= 0);
    box->setCurrentIndex(box->findData(data));
    emit box->activated(box->currentIndex());
}
inline void chooseStep(const SettingsBar& bar, std::int64_t step) {
    choose(bar, QStringLiteral("step"), QString::number(step));
}
inline void chooseGroup(const SettingsBar& bar, const std::string& name) {
    choose(bar, QStringLiteral("group"), QStringLiteral("name:") + QString::fromStdString(name));
}

/// The page, shown, with what it needs.
struct CommunicationFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    FindingsLoader loader{session};
    FindingSettings settings{memory};
    CommunicationPage page{session, selection, loader, settings, memory};
    CaptureId id;

    explicit CommunicationFixture(const QString& capture = {}) {
        page.resize(1000, 800);
        page.show();
        if (!capture.isEmpty()) open(capture);
    }
    void open(const QString& capture) {
        id = openAndWait(session, capture);
        QVERIFY(id != kNoCapture);
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 10'000));
    }
    QString message() const {
        return page.findChild<MessagePage*>()->message().title + QLatin1Char('|') +
               page.findChild<MessagePage*>()->message().remedy;
    }
    const LinkMatrix& matrix() { return page.matrix().canvas().picture()->matrix(); }
};

}  // namespace altiscope::test
