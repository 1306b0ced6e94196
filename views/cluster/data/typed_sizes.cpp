#include "views/cluster/data/typed_sizes.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct TypedSizesTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TypedSizes)
};

std::int32_t* sizeOf(ParallelSizes& sizes, const QString& name) {
    if (name == u"dp"_s) return &sizes.dp;
    if (name == u"pp"_s) return &sizes.pp;
    if (name == u"tp"_s) return &sizes.tp;
    if (name == u"cp"_s) return &sizes.cp;
    return name == u"ep"_s ? &sizes.ep : nullptr;
}

}  // namespace

TypedSizes readTypedSizes(const QString& text, std::int64_t ranks) {
    static const QRegularExpression between(u"[\\s,;]+"_s);
    const QStringList words = text.toLower().split(between, Qt::SkipEmptyParts);
    if (words.isEmpty()) return {};
    ParallelSizes sizes;
    QStringList named;
    for (const QString& word : words) {
        const QString name = word.section(u'=', 0, 0), value = word.section(u'=', 1);
        const auto order = name == u"order"_s ? rankOrderOf(value.toStdString()) : std::nullopt;
        std::int32_t* size = sizeOf(sizes, name);
        bool isNumber = false;
        const int number = value.toInt(&isNumber);
        if (named.contains(name) || (size != nullptr ? !isNumber : !order))
            return {{},
                    TypedSizesTexts::tr("\"%1\" is not understood: type sizes as tp=2 dp=4, and "
                                        "order=megatron, megatron-pp-dp, mindspeed, mindie or vllm.")
                        .arg(word)};
        named << name;
        if (size != nullptr) *size = number;
        else sizes.order = *order;
    }
    if (const auto problem = problemOf(sizes, ranks)) return {{}, errorSentence(*problem)};
    return {sizes, {}};
}

}  // namespace altiscope
