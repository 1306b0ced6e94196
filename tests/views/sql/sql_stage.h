#pragma once

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/tables/table_panel.h"
#include "views/sql/editor/editor_tabs.h"
#include "views/sql/editor/parameter_bar.h"
#include "views/sql/editor/query_panel.h"
#include "views/sql/editor/sql_editor.h"
#include "views/sql/results/result_panel.h"
#include "views/sql/sql_page.h"

#include "core/session/selection.h"

#include <QTemporaryDir>
#include <QVariantMap>

namespace altiscope::test {

/// A capture of the generator.
struct GeneratedCapture {
    explicit GeneratedCapture(std::vector<std::string> words) {
        words.insert(words.begin(), path().toStdString());
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(QStringLiteral("capture")); }

    QTemporaryDir folder;
    bool made = false;
};

/// What a view remembers, in memory.
struct Kept {
    QVariantMap values;
    ViewMemory memory{[this](const QString& name) { return values.value(name); },
                      [this](const QString& name, const QVariant& value) { values[name] = value; }};
};

/// The page, shown, with what it needs.
struct SqlFixture {
    Kept& kept;
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    SqlPage page{session, selection, kept.memory};
    CaptureId id;

    SqlFixture(Kept& memory, const QString& capture) : kept(memory) {
        page.resize(1100, 800);
        page.show();
        if (!capture.isEmpty()) id = openAndWait(session, capture);
        settle();
    }
    ~SqlFixture() { jobs.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 60'000));
    }
    SqlEditor& editor() { return page.tabs().editor(); }
    void write(const QString& text) {
        editor().setPlainText(text);
        editor().moveCursor(QTextCursor::End);
    }
    /// Runs a text as the whole content of the present tab.
    void run(const QString& text) {
        write(text);
        page.run();
        settle();
    }
    const SqlTable* table() { return page.results().shown().get(); }
    std::size_t rows() { return table() == nullptr ? 0 : table()->rowCount(); }
};

}  // namespace altiscope::test
