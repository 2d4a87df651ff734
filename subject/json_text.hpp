// A parsed JSON text, with bounds on what a hostile one can cost.
//
// nlohmann's SAX parser reads it; the document is ours, since the library's own keeps the last of
// two equal keys, has no bound on depth or size, and forgets where in the text a value stood. Ours
// copies nothing but strings with escapes, and is light to include. RFC 8259, strictly: no byte
// order mark, and a key that comes twice in an object is refused. A number may have any length, but
// a double must be able to hold it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ampcheck::subject {

// No message nests deeper than a case in an envelope does, with a wide margin.
inline constexpr std::size_t kMaxJsonDepth = 64;
// A tensor is one value. Memory is at most some 100 bytes a value, besides the text.
inline constexpr std::size_t kMaxJsonValues = std::size_t{1} << 22;
inline constexpr std::size_t kMaxJsonText = std::size_t{256} << 20;

struct JsonNode {
  enum class Type : std::uint8_t { null, boolean, number, string, array, object };

  Type type = Type::null;
  std::uint32_t size = 0;   // elements of an array, fields of an object
  std::uint32_t first = 0;  // its first child in the document
  std::string_view text;    // of a string its content, else the source
};

class JsonDocument {
 public:
  // Throws MalformedJson with the path "NAME:LINE:COLUMN". Lines and columns count from 1, columns
  // in characters. `name` is a file's name, or says what the text is. The text must outlive the
  // document.
  JsonDocument(std::string_view text, std::string_view name);

  const JsonNode& root() const { return root_; }
  const JsonNode& element(const JsonNode& array, std::size_t index) const {
    return nodes_[array.first + index];
  }
  std::string_view key(const JsonNode& object, std::size_t index) const {
    return nodes_[object.first + 2 * index].text;
  }
  const JsonNode& value(const JsonNode& object, std::size_t index) const {
    return nodes_[object.first + 2 * index + 1];
  }

 private:
  friend class JsonHandler;
  JsonNode root_;
  std::vector<JsonNode>
      nodes_;  // children of one node side by side; of an object key, value, key, …
  std::deque<std::string> strings_;  // those with escapes
};

}  // namespace ampcheck::subject
