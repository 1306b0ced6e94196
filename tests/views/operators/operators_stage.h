#pragma once

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/tables/table_panel.h"
#include "views/operators/operator_bar.h"
#include "views/operators/operator_tables.h"
#include "views/operators/operators_page.h"

#include <QTemporaryDir>
#include <QVariantMap>

namespace altiscope::test {

/// A capture of the generator, as files that a test may change before they are opened.
struct Generated {
    explicit Generated(std::vector<std::string> words) {
        words.insert(words.begin(), path().toStdString());
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(QStringLiteral("capture")); }

    QTemporaryDir folder;
    bool made = false;
};

/// The page, shown, with what it needs.
struct OperatorsFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    OperatorsPage page{session, selection, memory};
    CaptureId id;

    explicit OperatorsFixture(const QString& capture = {}) {
        page.resize(1100, 800);
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
    void group(KernelGrouping grouping) {
        page.bar().setGrouping(grouping);
        settle();
    }
    std::size_t rows() { return page.statistics().table().loader().rows()->count; }
    QString cell(GroupColumn column, std::size_t row) {
        return shownCell(*page.statistics().table().loader().source(), groupHeadings(),
                         static_cast<std::size_t>(column), row);
    }
    std::int64_t value(GroupColumn column, std::size_t row) {
        return page.statistics().table().loader().source()->cell(static_cast<std::size_t>(column), row);
    }
};

}  // namespace altiscope::test
