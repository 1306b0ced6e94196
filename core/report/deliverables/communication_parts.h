#pragma once

#include "core/report/deliverables/deliverable_input.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

using CollectiveList = std::vector<const CollectiveRecord*>;

/// The collectives of a step as torch_npu lists them.
struct StepCollectives {
    std::string key;  ///< "step3"; "step" where there are none.
    CollectiveList pointToPoint, collective;
};
/// Steps with all their collectives, those without any excluded... in the order of `rank.steps`.
std::vector<StepCollectives> collectivesBySteps(const DeliverableInput& input);

/// The members of a JSON object in order, as Python writes them.
class JsonMembers {
public:
    void add(std::string_view key, std::string_view json);
    void addNumber(std::string_view key, double value);
    bool empty() const { return m_text.empty(); }
    std::string text() const { return '{' + m_text + '}'; }

private:
    std::string m_text;
};

/// A sum as Python writes it that begins with the integer 0: `0` where nothing was added.
std::string sumText(double value, bool isTouched);
/// To four digits as Python rounds; what is divided by nothing is the integer 0.
double fourDigits(double value);

}  // namespace altiscope
