#include "views/overview/dialogs/deliverables_dialog.h"

#include "tests/support/test_main.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace altiscope;

namespace {

QAbstractButton* writeButton(const QDialog& dialog) {
    const auto* buttons = dialog.findChild<QDialogButtonBox*>();
    for (QAbstractButton* button : buttons->buttons()) {
        if (buttons->buttonRole(button) == QDialogButtonBox::AcceptRole) return button;
    }
    return nullptr;
}

}  // namespace

class TestDeliverablesDialog : public QObject {
    Q_OBJECT
private slots:
    void proposesAFolderBesideTheCapture() {
        const DeliverablesDialog dialog(QStringLiteral("PROF_1"), QStringLiteral("/runs/PROF_1"));
        const RawAnalysisOptions options = dialog.options();
        QCOMPARE(options.raw.string(), std::string("/runs/PROF_1"));
        QCOMPARE(options.out.string(), std::string("/runs/analysed_PROF_1"));
        QVERIFY(options.writesText && !options.writesDatabases);
        QVERIFY(writeButton(dialog)->isEnabled());
    }

    void writesNothingWithoutATypeOrAFolder() {
        const DeliverablesDialog dialog(QStringLiteral("run"), QStringLiteral("/runs/run"));
        const QList<QCheckBox*> boxes = dialog.findChildren<QCheckBox*>();
        QCOMPARE(boxes.size(), 2);
        for (QCheckBox* box : boxes) box->setChecked(false);
        QVERIFY(!writeButton(dialog)->isEnabled());
        boxes.back()->setChecked(true);
        QVERIFY(writeButton(dialog)->isEnabled());
        QVERIFY(dialog.options().writesDatabases && !dialog.options().writesText);
        auto* folder = dialog.findChild<QLineEdit*>();
        for (const char* name : {"", "  ", "out"}) {
            folder->setText(QString::fromLatin1(name));
            QVERIFY(!writeButton(dialog)->isEnabled());
        }
    }

    void saysWhatBecameOfIt() {
        RawAnalysisOutcome outcome;
        outcome.cancelled = true;
        QVERIFY(deliverablesSentence(outcome, QStringLiteral("/out")).isEmpty());
        outcome = {};
        outcome.problem = Error{"raw_analysis.not_empty", "/out", {}, {}};
        QVERIFY(deliverablesSentence(outcome, QStringLiteral("/out")).startsWith(QStringLiteral("Not written: /out")));
        outcome = {};
        outcome.analysis.captures.resize(3);
        outcome.analysis.captures[0].state = AnalysedCapture::State::Done;
        outcome.analysis.captures[1].state = AnalysedCapture::State::Partial;
        QCOMPARE(deliverablesSentence(outcome, QStringLiteral("/out")),
                 QStringLiteral("Deliverables in /out: 1 complete, 1 with lost data, 1 failed"));
        outcome.analysis.captures[2].state = AnalysedCapture::State::Cancelled;
        QCOMPARE(
            deliverablesSentence(outcome, QStringLiteral("/out")),
            QStringLiteral("Cancelled. Deliverables in /out: 1 complete, 1 with lost data, 0 failed; not written: 1"));
        // Where nothing was written, the reason says more.
        outcome.analysis.captures = {AnalysedCapture()};
        outcome.analysis.captures.front().error = Error{"raw_analysis.exists", "/runs/x", {}, {}};
        QVERIFY(deliverablesSentence(outcome, QStringLiteral("/out")).contains(QStringLiteral("/runs/x")));
    }
};

ALTI_TEST(TestDeliverablesDialog)
#include "tst_deliverables_dialog.moc"
