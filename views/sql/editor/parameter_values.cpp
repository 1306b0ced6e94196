#include "views/sql/editor/parameter_values.h"

namespace altiscope {

using namespace Qt::StringLiterals;

QueryParameter parameterOf(const QString& name, const QString& text) {
    QueryParameter parameter{name.toStdString(), {}};
    const QString plain = text.trimmed();
    if (plain.isEmpty() || plain.compare("null"_L1, Qt::CaseInsensitive) == 0) return parameter;
    bool isNumber = false;
    if (const qlonglong whole = plain.toLongLong(&isNumber); isNumber) {
        parameter.value = static_cast<std::int64_t>(whole);
    } else if (const double real = plain.toDouble(&isNumber); isNumber && qIsFinite(real)) {
        parameter.value = real;
    } else if (plain.size() >= 2 && plain.startsWith(u'\'') && plain.endsWith(u'\'')) {
        parameter.value = plain.sliced(1, plain.size() - 2).replace("''"_L1, "'"_L1).toStdString();
    } else {
        parameter.value = text.toStdString();
    }
    return parameter;
}

}  // namespace altiscope
