#include "views/timeline/scene/colour_rules.h"

#include "core/base/text/regular_expression.h"

#include <QCoreApplication>
#include <QJsonObject>

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr ColourIndex named(std::string_view name) {
    return static_cast<ColourIndex>(kFirstNamedColour + namedColour(name).value());
}

struct RuleTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::ColourRules)

public:
    static constexpr auto colours() {
        return std::to_array<RuleColour>({
            {"strong_red", QT_TR_NOOP("Strong red"), named("terrible")},
            {"strong_orange", QT_TR_NOOP("Strong orange"), named("thread_state_iowait")},
            {"strong_yellow", QT_TR_NOOP("Strong yellow"), named("yellow")},
            {"strong_green", QT_TR_NOOP("Strong green"), named("good")},
            {"strong_blue", QT_TR_NOOP("Strong blue"), named("rail_response")},
            {"strong_purple", QT_TR_NOOP("Strong purple"), named("detailed_memory_dump")},
            {"black", QT_TR_NOOP("Black"), named("black")},
            {"grey", QT_TR_NOOP("Grey"), named("generic_work")},
            {"blue", QT_TR_NOOP("Blue"), 0},
            {"orange", QT_TR_NOOP("Orange"), 1},
            {"green", QT_TR_NOOP("Green"), 2},
            {"red", QT_TR_NOOP("Red"), 3},
            {"violet", QT_TR_NOOP("Violet"), 4},
            {"cyan", QT_TR_NOOP("Cyan"), 5},
            {"olive", QT_TR_NOOP("Olive"), 6},
            {"pink", QT_TR_NOOP("Pink"), 7},
            {"sky", QT_TR_NOOP("Sky blue"), 8},
            {"amber", QT_TR_NOOP("Amber"), 9},
            {"mint", QT_TR_NOOP("Mint"), 10},
            {"rose", QT_TR_NOOP("Rose"), 11},
            {"lavender", QT_TR_NOOP("Lavender"), 12},
            {"lime", QT_TR_NOOP("Lime"), 13},
            {"purple", QT_TR_NOOP("Purple"), 14},
            {"coral", QT_TR_NOOP("Coral"), 15},
        });
    }
};

constexpr auto kRuleColours = RuleTexts::colours();

/// Texts that slices have in a column.
std::vector<bool> usedTexts(const auto& column, std::size_t texts) {
    std::vector<bool> used(texts);
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (column[i].value < texts) used[column[i].value] = true;
    }
    return used;
}

}  // namespace

std::span<const RuleColour> ruleColours() { return kRuleColours; }

QString ruleColourTitle(const RuleColour& colour) { return RuleTexts::tr(colour.title); }

QJsonArray savedRules(const std::vector<ColourRule>& rules) {
    QJsonArray saved;
    for (const ColourRule& rule : rules) {
        const QString pattern = QString::fromStdString(rule.pattern);
        const std::string_view word = kRuleColours[rule.colour].word;
        saved.append(QJsonObject{{rule.of == ColourRule::Of::Name ? u"name"_s : u"category"_s, pattern},
                                 {u"colour"_s, QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()))}});
    }
    return saved;
}

std::vector<ColourRule> rulesFrom(const QJsonArray& saved) {
    std::vector<ColourRule> rules;
    for (const auto& value : saved) {
        const QJsonObject object = value.toObject();
        const bool isOfName = object.contains("name"_L1);
        const QString pattern = object.value(isOfName ? "name"_L1 : "category"_L1).toString();
        const std::string word = object.value("colour"_L1).toString().toStdString();
        const auto colour = std::find_if(kRuleColours.begin(), kRuleColours.end(),
                                         [&word](const RuleColour& one) { return one.word == word; });
        if (pattern.isEmpty() || pattern.size() > kMaxRulePattern || colour == kRuleColours.end()) continue;
        if (rules.size() == kMaxColourRules) break;
        rules.push_back({isOfName ? ColourRule::Of::Name : ColourRule::Of::Category, pattern.toStdString(),
                         static_cast<std::size_t>(std::distance(kRuleColours.begin(), colour))});
    }
    return rules;
}

std::string problemOf(const ColourRule& rule) {
    return rule.of == ColourRule::Of::Name && !rule.pattern.empty() ? RegularExpression(rule.pattern).problem()
                                                                    : std::string();
}

RuledColours::RuledColours(const TraceStore& trace, const std::vector<ColourRule>& rules, const CancelToken& cancel) {
    const StringPool& texts = trace.texts();
    std::vector<bool> names;
    for (std::size_t i = 0; i < rules.size() && i < kMaxColourRules; ++i) {
        const ColourRule& rule = rules[i];
        m_colours.push_back(kRuleColours[rule.colour].colour);
        if (rule.pattern.empty()) continue;
        if (rule.of == ColourRule::Of::Category) {
            const auto id = texts.find(rule.pattern);
            if (!id) continue;
            if (m_byCategory.empty()) m_byCategory.resize(texts.size(), kNone);
            m_byCategory[id->value] = std::min(m_byCategory[id->value], static_cast<Place>(i));
            continue;
        }
        const RegularExpression expression(rule.pattern);
        if (!expression.problem().empty()) continue;
        if (names.empty()) names = usedTexts(trace.columns().name, texts.size());
        if (m_byName.empty()) m_byName.resize(texts.size(), kNone);
        for (std::uint32_t text = 0; text < texts.size(); ++text) {
            if (!names[text] || m_byName[text] != kNone) continue;
            const auto match = expression.search(texts.text({text}), cancel);
            if (match == RegularExpression::Match::Yes) m_byName[text] = static_cast<Place>(i);
            // A pattern that tries too many ways would do so with each name.
            if (match == RegularExpression::Match::TooCostly || cancel.cancelled()) break;
        }
    }
}

ColourIndex RuledColours::of(StringId name, StringId category) const {
    const Place byName = m_byName.empty() ? kNone : m_byName[name.value];
    const Place byCategory = category.value < m_byCategory.size() ? m_byCategory[category.value] : kNone;
    const Place first = std::min(byName, byCategory);
    return first == kNone ? kNoColour : m_colours[first];
}

}  // namespace altiscope
