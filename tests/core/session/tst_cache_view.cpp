#include "core/session/cache_view.h"
#include "core/store/cache/store_cache.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <QStringList>
#include <QTemporaryDir>

#include <filesystem>

using namespace altiscope;

class TestCacheView : public QObject {
    Q_OBJECT
private slots:
    void entriesAreCounted() {
        const QTemporaryDir temp;
        const std::filesystem::path folder = temp.filePath(QStringLiteral("cache")).toStdString();
        const StoreCache cache(folder);
        const auto store = test::traceFromText("p1/t1: A[0,100)");
        for (int count = 0; count < 3; ++count) {
            if (count > 0) {
                const std::string key = StoreCache::key(std::to_string(count));
                QVERIFY(cache.put(key, *store, "/capture\n{}").ok());
            }
            const QStringList lines =
                QString::fromStdString(CacheView(folder).listText()).split(u'\n', Qt::SkipEmptyParts);
            QCOMPARE(lines.size(), count + 1);
            const QString said = QStringLiteral("%1 %2, ").arg(count).arg(count == 1 ? QStringLiteral("entry")
                                                                                     : QStringLiteral("entries"));
            QVERIFY2(lines.back().startsWith(said), qPrintable(lines.back()));
        }
    }
};

ALTI_TEST(TestCacheView)
#include "tst_cache_view.moc"
