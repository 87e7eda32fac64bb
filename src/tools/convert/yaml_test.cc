// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace openqnn::tools::convert {
namespace {

using testing::HasSubstr;
using Kind = YamlNode::Kind;

std::string words_of(const YamlNode& node) {
  if (node.kind == Kind::kNothing) return "~";
  if (node.kind == Kind::kWord) return node.word;
  std::string text;
  for (size_t i = 0; i < node.items.size(); ++i) {
    const std::string key = node.kind == Kind::kMap ? node.keys.at(i) + "=" : "";
    text += (text.empty() ? "" : ",") + key + words_of(node.items[i]);
  }
  return node.kind == Kind::kMap ? "{" + text + "}" : "[" + text + "]";
}

std::string read(std::string_view text) {
  const auto node = parse_yaml(text, "f.yaml");
  return node ? words_of(*node) : node.error().to_string();
}

TEST(Yaml, ReadsWhatConfigurationsAreWrittenIn) {
  EXPECT_EQ(read(""), "~");
  EXPECT_EQ(read("# nothing\n---\n\n"), "~");
  EXPECT_EQ(read("a: 1\nb c: 'x: #y' # end\nd:\n"), "{a=1,b c=x: #y,d=~}");
  EXPECT_EQ(read("- a: 1\n  b:\n    c: 2\r\n-   d: e\n    f: ~\n- g\n-\n"), "[{a=1,b={c=2}},{d=e,f=~},g,~]");
  EXPECT_EQ(read("in:\n- x\n- y\nout:\n  - z\n"), "{in=[x,y],out=[z]}");
  EXPECT_EQ(read("s: [1, 3, \"4\"]\nt: []\nu: 1,3,224\nv: a:b"), "{s=[1,3,4],t=[],u=1,3,224,v=a:b}");
  EXPECT_EQ(read("- - a\n  - b\n-\n  - c\n"), "[[a,b],[c]]");
}

TEST(Yaml, RefusesAllElseAtItsLine) {
  const std::pair<std::string_view, std::string_view> wrong[] = {
      {"a: 1\n\tb: 2", "f.yaml:2: error: the line is indented by tabs"},
      {"a: 1\na: 2", "f.yaml:2: error: 'a' cannot be a key twice"},
      {"a: 1\n  b: 2", "f.yaml:2: error: the line is indented more"},
      {"  a: 1\nb: 2", "f.yaml:2: error: the line is indented less"},
      {"a:\n    b: 1\n  c: 2", "f.yaml:3: error: the line is indented"},
      {"a: 1\nword", "f.yaml:2: error: 'word' is no"},
      {"a: &x 1", "f.yaml:1: error: '&x 1' begins with a sign"},
      {"a: |\n  text", "f.yaml:1: error: '|' begins with a sign"},
      {"a: {b: 1}", "f.yaml:1: error: '{b: 1}' begins with a sign"},
      {"a: \"b", "f.yaml:1: error: \"b is no quoted word"},
      {"a: 'b\\n'", "f.yaml:1: error: 'b\\n' is no quoted word"},
      {"a: [1, [2]]", "f.yaml:1: error: '[1, [2]]' is no list"},
      {"a: [", "f.yaml:1: error: '[' is no list"},
      {"[a]: 1", "f.yaml:1: error: '' cannot be a key"},
      {"- a\nb: 1", "f.yaml:2: error: the line is indented less"},
  };
  for (const auto& [text, message] : wrong) EXPECT_THAT(read(text), HasSubstr(message)) << text;
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "- ";
  EXPECT_THAT(read(deep + "a"), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace openqnn::tools::convert
