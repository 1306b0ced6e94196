#include "views/report/output/report_source.h"

#include "core/report/document/make_report.h"

#include <QString>

namespace altiscope {

ReportCapture reportCapture(const QString& path, const std::shared_ptr<const CaptureStore>& store) {
    return {path.toStdString(), store, std::make_shared<const QueryDatabase>(store)};
}

Result<MadeReport> makeWholeReport(const ReportSource& source, const CancelToken& cancel) {
    MadeReport made;
    made.source = source;
    if (source.base) {
        auto compared = compareSides({source.base->store, source.base->database.get()},
                                     {source.capture.store, source.capture.database.get()}, cancel);
        if (compared.cancelled()) return Cancelled{};
        if (compared.failed()) made.problem = compared.error();
        else made.comparison = std::make_shared<const Comparison>(std::move(compared).value());
    }
    auto report = makeReport(*source.capture.database,
                             {.capture = source.capture.path,
                              .language = source.language,
                              .program = source.program,
                              .generated = reportTime(),
                              .sections = {},
                              .compare = made.comparison.get(),
                              .scope = source.scope},
                             cancel);
    if (!report.ok()) return report.as<MadeReport>();
    made.report = std::make_shared<const Report>(std::move(report).value());
    return made;
}

}  // namespace altiscope
