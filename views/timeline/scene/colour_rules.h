#pragma once

#include "core/base/values/cancel.h"
#include "views/timeline/scene/slice_colours.h"

#include <QJsonArray>
#include <QString>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// A colour that users choose by its word: a hue of the theme, or one that shouts, the same in both themes.
struct RuleColour {
    std::string_view word;  ///< In settings and workspaces.
    const char* title;      ///< English, for translation by ruleColourTitle().
    ColourIndex colour;
};
std::span<const RuleColour> ruleColours();
QString ruleColourTitle(const RuleColour& colour);

/// Slices that get a colour from the user.
struct ColourRule {
    enum class Of : std::uint8_t {
        Name,      ///< `pattern` is a regular expression that is found anywhere in the name.
        Category,  ///< `pattern` is the category.
    };
    Of of = Of::Name;
    std::string pattern;
    std::size_t colour = 0;  ///< Index in ruleColours().

    bool operator==(const ColourRule&) const = default;
};

/// More are not taken from a file.
inline constexpr std::size_t kMaxColourRules = 50;
/// Characters of a pattern.
inline constexpr int kMaxRulePattern = 1000;

/// [{"name":"Mat[Mm]ul","colour":"red"},{"category":"cpu_op","colour":"blue"}]
QJsonArray savedRules(const std::vector<ColourRule>& rules);
/// Leaves out what cannot be understood.
std::vector<ColourRule> rulesFrom(const QJsonArray& saved);

/// Fault of a pattern in words of the regular expression's library; empty: none. An empty pattern is one that is being
/// written: no fault, and nothing matches.
std::string problemOf(const ColourRule& rule);

/// The colours that rules give to the texts of a store, by StringId: of slices with this name, and with this category.
/// Where both have one, the rule that comes first in the list counts.
class RuledColours {
public:
    /// O(slices + distinct names x rules); cancelled, it is as if there were no rules. Any thread.
    RuledColours(const TraceStore& trace, const std::vector<ColourRule>& rules, const CancelToken& cancel);

    static constexpr ColourIndex kNoColour = 255;
    /// kNoColour: no rule.
    ColourIndex of(StringId name, StringId category) const;

private:
    using Place = std::uint8_t;  // in the list of rules
    static constexpr Place kNone = 255;
    static_assert(kMaxColourRules < kNone);

    std::vector<ColourIndex> m_colours;  // by rule
    std::vector<Place> m_byName, m_byCategory;
};

}  // namespace altiscope
