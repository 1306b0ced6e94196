#pragma once

#include <QFont>
#include <QImage>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// A line of text as coverage: one byte a device pixel, 0 outside the glyphs, 255 within.
struct LabelImage {
    int width = 0, height = 0;
    std::vector<std::uint8_t> coverage;  ///< width * height, by line.
    std::vector<std::uint16_t> stops;    ///< Ascending x after each character at which the text may be cut.
};

/// Pictures of names, made once: drawing text is dear (some us a name), copying its picture is not. GUI thread.
class LabelCache {
public:
    /// Names are cut at this many bytes before they are drawn; no slice on a screen shows more.
    static constexpr std::size_t kMaxBytes = 200;
    /// Coverage bytes after which everything is forgotten at the next beginFrame().
    static constexpr std::size_t kMaxCacheBytes = std::size_t{64} << 20;

    /// Forgets everything if font or scale are others.
    void setFont(const QFont& font, double devicePixelRatio);
    /// Call before a picture's first label; references got from image() hold until the next call.
    void beginFrame();

    /// The picture of a text, line breaks and other control characters as blanks.
    const LabelImage& image(std::string_view text);
    /// The same if it is known already, else null. Several threads may look while none calls another function.
    const LabelImage* find(std::string_view text) const;
    /// From its second call in a picture on, for several threads as well.
    const LabelImage& ellipsis();
    int height() const { return m_height; }

private:
    LabelImage draw(std::string_view text);
    void clear();

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };

    QFont m_font;
    double m_ratio = 0;
    int m_height = 0;
    std::size_t m_bytes = 0;
    QImage m_scratch;
    const LabelImage* m_ellipsis = nullptr;  // among the images, once it was needed
    std::unordered_map<std::string, LabelImage, Hash, std::equal_to<>> m_images;
};

}  // namespace altiscope
