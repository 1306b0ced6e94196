#include "core/import/ranks/table_formats.h"

#include "core/base/text/catalogue.h"
#include "core/import/contracts/group_directory.h"
#include "core/import/ranks/rank_tables.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>
#include <vector>

using namespace altiscope;

class TestTableFormats : public QObject {
    Q_OBJECT
private slots:
    void a_format_that_no_reader_knows_is_reported_and_not_read_as_another();
    void communication_is_read_for_its_tables_alone();
};

void TestTableFormats::a_format_that_no_reader_knows_is_reported_and_not_read_as_another() {
    reader::RankManifest rank;
    // Would be read as communication_matrix.json, if that were what remains.
    rank.tables.push_back({{.path = "nowhere/new.bin", .name = "new.bin"}, "new_format"});
    RowTablesBuilder builder;
    Diagnostics diagnostics;
    ProgressSlot progress;
    const CancelToken cancel;
    reader::TableContext context{builder, diagnostics, progress, cancel, 1 << 20};
    const auto rows = reader::readRankTables(rank, context, reader::GroupDirectory(), nullptr, true);
    QVERIFY(rows.ok() && rows.value() == nullptr);
    const std::vector<Diagnostic> entries = diagnostics.entries();
    QCOMPARE(entries.size(), 1U);
    const Diagnostic& only = entries.front();
    QCOMPARE(only.code, "table.no_reader");
    QCOMPARE(only.severity, Severity::Lost);
    QCOMPARE(only.file, "new.bin");
    QVERIFY(errorText({only.code, only.file, {}, only.parameters}, "en").find("\"new_format\"") != std::string::npos);
}

void TestTableFormats::communication_is_read_for_its_tables_alone() {
    using reader::mayFillRows, reader::fillsRows;
    constexpr RowKind kPackets[] = {RowKind::Packet}, kKernels[] = {RowKind::Kernel};
    QVERIFY(mayFillRows("communication", kPackets) && !mayFillRows("communication", kKernels));
    QVERIFY(mayFillRows("kernel_details", kKernels) && !mayFillRows("kernel_details", kPackets));
    QVERIFY(fillsRows("communication", RowKind::Packet) && !fillsRows("communication", RowKind::Link));
    QVERIFY(fillsRows("communication_matrix", RowKind::Link) && fillsRows("kernel_details", RowKind::Kernel));
    // What fills no table by itself is read whatever is wanted.
    QVERIFY(mayFillRows("flops", kPackets) && !fillsRows("flops", RowKind::Kernel));
}

ALTI_TEST(TestTableFormats)
#include "tst_table_formats.moc"
