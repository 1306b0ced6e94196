#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/store/cache/store_cache.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace altiscope;

class TestRankCache : public QObject {
    Q_OBJECT
    QTemporaryDir m_temp;
    int m_folders = 0;

    /// A fresh folder with one trace of two slices, one of them with a negative duration.
    std::filesystem::path capture() {
        const auto folder =
            std::filesystem::path(m_temp.path().toStdString()) / ("capture" + std::to_string(m_folders++));
        const auto output = folder / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT";
        std::filesystem::create_directories(output);
        std::ofstream(output / "trace_view.json")
            << "[{\"ph\":\"X\",\"name\":\"a\",\"cname\":\"good\",\"pid\":1,\"tid\":2,\"ts\":\"1000.5\",\"dur\":2,"
               "\"args\":{\"k\":\"v\"}},"
               "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":\"1010.0\",\"dur\":-1}]";
        return folder;
    }

    static std::shared_ptr<const CaptureStore> import(const std::filesystem::path& path, const StoreCache* cache) {
        WorkerArena arena(2);
        reader::ImportOptions options;
        options.cache = cache;
        ProgressSlot progress;
        std::shared_ptr<const CaptureStore> result;
        arena.run([&] { result = reader::importCapture(path, options, progress, {}).value(); });
        return result;
    }

    static std::string everything(const CaptureStore& capture) {
        std::string text = test::dumpSlices(*capture.ranks.at(0).trace);
        for (const Diagnostic& entry : capture.diagnostics.entries()) {
            text += entry.code + " " + std::to_string(entry.count) + " " + entry.file + " " +
                    entry.places.at(0).text() + "\n";
        }
        text += capture.ranks[0].trace->colourName({0});
        text += capture.ranks[0].arguments->arguments(capture.ranks[0].trace->pos({0})).value();
        return text;
    }

private slots:
    void secondOpeningEqualsTheFirst() {
        const auto path = capture();
        const StoreCache cache(std::filesystem::path(m_temp.path().toStdString()) / "cache1");
        const auto first = import(path, &cache);
        QCOMPARE(cache.entries().size(), std::size_t{1});
        const auto second = import(path, &cache);
        QCOMPARE(everything(*second), everything(*first));
        QVERIFY(everything(*first).find("negative") != std::string::npos);
        QVERIFY(everything(*first).find("good") != std::string::npos);
        QCOMPARE(everything(*import(path, nullptr)), everything(*first));
        QVERIFY(second->ranks[0].trace->columns().begin.span().data() !=
                first->ranks[0].trace->columns().begin.span().data());
    }

    void changedSourceIsReadAnew() {
        const auto path = capture();
        const StoreCache cache(std::filesystem::path(m_temp.path().toStdString()) / "cache2");
        QCOMPARE(import(path, &cache)->ranks[0].trace->sliceCount(), std::size_t{2});
        std::ofstream(path / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "trace_view.json")
            << "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":\"1000.5\",\"dur\":2}]";
        QCOMPARE(import(path, &cache)->ranks[0].trace->sliceCount(), std::size_t{1});
    }

    void diagnosticsSurviveALineEndInThePath() {
        const auto path = capture();
        const auto odd = path.parent_path() / "two\nlines";
        std::filesystem::rename(path, odd);
        const StoreCache cache(std::filesystem::path(m_temp.path().toStdString()) / "cache3");
        const auto first = import(odd, &cache);
        const auto second = import(odd, &cache);
        QCOMPARE(everything(*second), everything(*first));
        QVERIFY(second->ranks[0].trace->columns().begin.span().data() !=
                first->ranks[0].trace->columns().begin.span().data());
        QCOMPARE(cache.entries().size(), std::size_t{1});
    }

    void unusableCacheFolderOnlyCostsTime() {
        const auto path = capture();
        const auto file = std::filesystem::path(m_temp.path().toStdString()) / "notAFolder";
        std::ofstream(file) << "x";
        const StoreCache cache(file / "below");
        const auto result = import(path, &cache);
        QCOMPARE(result->ranks[0].trace->sliceCount(), std::size_t{2});
        const auto entries = result->diagnostics.entries();
        QCOMPARE(entries.front().code, std::string("cache.not_written"));
        QVERIFY(entries.front().severity == Severity::Info);
    }
};

ALTI_TEST(TestRankCache)
#include "tst_rank_cache.moc"
