#include "core/import/contracts/manifest_discard.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <thread>

using namespace altiscope;
using namespace altiscope::reader;

class TestManifestDiscard : public QObject {
    Q_OBJECT

private slots:
    /// On which thread a manifest is destroyed.
    void where_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("isCancelled");
        QTest::addColumn<bool>("hasCopy");
        QTest::addColumn<bool>("isAside");
        QTest::addRow("small") << 1 << false << false << false;
        QTest::addRow("cancelled") << 1 << true << false << true;
        QTest::addRow("large") << 20'000 << false << false << true;
        QTest::addRow("large, with a copy that has to vanish at once") << 20'000 << false << true << false;
        QTest::addRow("cancelled, with such a copy") << 1 << true << true << false;
    }
    void where() {
        QFETCH(int, ranks);
        QFETCH(bool, isCancelled);
        QFETCH(bool, hasCopy);
        QFETCH(bool, isAside);
        std::promise<std::thread::id> promise;
        auto ended = promise.get_future();
        {
            const CancelToken cancel;
            CaptureManifest manifest;
            manifest.ranks.resize(static_cast<std::size_t>(ranks));
            SourceFile file{"/capture/trace_view.json", "trace_view.json"};
            file.archive =
                std::shared_ptr<const ArchiveOrigin>(new ArchiveOrigin, [&promise](const ArchiveOrigin* one) {
                    delete one;
                    promise.set_value(std::this_thread::get_id());
                });
            if (hasCopy) file.copy = std::make_shared<const std::string>("the copy");
            manifest.ranks.back().traces.push_back(std::move(file));
            const ManifestDiscard later(cancel, manifest);
            if (isCancelled) cancel.requestCancel();
        }
        QCOMPARE(ended.get() != std::this_thread::get_id(), isAside);
    }
};

ALTI_TEST(TestManifestDiscard)
#include "tst_manifest_discard.moc"
