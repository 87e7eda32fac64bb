// SPDX-License-Identifier: BSD-3-Clause
// What the tables know of an option, a value, a part or a rule, for people: Markdown, or the same as plain
// text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/option.h"
#include "config/rule.h"
#include "soc/target.h"

namespace openqnn::tools::lsp {

class Markup {
 public:
  explicit Markup(bool markdown) : markdown_(markdown) {}

  void heading(std::string_view name, std::string_view after = {});  // a name in bold, and what it is
  void paragraph(std::string_view text);
  void item(std::string_view name, std::string_view text);
  void rule();  // a line between two parts
  bool empty() const { return out_.empty(); }
  const std::string& text() const { return out_; }

 private:
  void separate(bool is_item);
  bool markdown_;
  bool after_item_ = false;
  std::string out_;
};

void describe_option(Markup& out, const config::SectionDef& section, const config::OptionDef& option);
void describe_section(Markup& out, const config::OptionDef& option);  // of a container: what its keys are

// What the value of an option stands for (a choice, a power profile, a SoC model); adds nothing when nothing
// is known.
void describe_value(Markup& out, const config::OptionDef& option, std::string_view value);
void describe_rule(Markup& out, const config::RuleDef& rule);

// "SM8650, Snapdragon 8 Gen 3; QCS8650".
std::string parts_text(const std::vector<soc::SocInfo>& parts);
bool takes_soc_model(const config::OptionDef& option);

}  // namespace openqnn::tools::lsp
