#pragma once

#include "core/session/job_runner.h"
#include "core/store/capture_store.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/trace_text.h"
#include "views/timeline/scene/timeline_scene.h"

#include <QTest>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::test {

/// A capture of as many ranks as texts are given (see traceFromText), numbered from 0; an empty text is a rank without
/// a timeline.
inline std::shared_ptr<CaptureStore> captureFromTexts(std::initializer_list<std::string_view> ranks) {
    auto capture = std::make_shared<CaptureStore>();
    capture->path = "/captures/run1";
    capture->state = CaptureStore::State::Ok;
    capture->sealed = true;
    for (const std::string_view text : ranks) {
        RankEntry entry;
        entry.info.rankId = static_cast<std::int64_t>(capture->ranks.size());
        entry.info.host = "host";
        if (!text.empty()) entry.trace = traceFromText(text);
        capture->ranks.push_back(std::move(entry));
    }
    return capture;
}

/// The same of texts that name tracks by what they are (see rankTrace).
inline std::shared_ptr<CaptureStore> captureOfRanks(const std::vector<std::string>& ranks) {
    auto capture = std::make_shared<CaptureStore>();
    capture->state = CaptureStore::State::Ok;
    capture->sealed = true;
    for (const std::string& text : ranks) {
        RankEntry entry;
        entry.info.rankId = static_cast<std::int64_t>(capture->ranks.size());
        entry.trace = rankTrace(text);
        capture->ranks.push_back(std::move(entry));
    }
    return capture;
}

/// Shows captures in a scene and waits until it has them.
inline void showIn(TimelineScene& scene, std::vector<SceneCapture> captures) {
    scene.setCaptures(std::move(captures));
    QVERIFY(QTest::qWaitFor([&] { return scene.idle(); }));
}

}  // namespace altiscope::test
