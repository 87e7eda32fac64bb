// SPDX-License-Identifier: BSD-3-Clause
// Advice for people and programs, and the page of the rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advise/advise.h"

namespace openqnn::advise {

// One run of the advisor.
struct Advice {
  std::string model;      // as the user named it
  std::string soc;        // "SM8550", else "v73"
  std::string precision;  // "w8a8", "as stored"
  std::string timing;     // which model and numbers made the times
  double error_band = 0;
  struct GraphTimes {
    std::string graph;
    double accelerator_us = 0;
    double client_us = 0;
  };
  std::vector<GraphTimes> graphs;
  std::vector<Finding> findings;
  std::vector<std::string> notes;
};

// "1 warning, 2 notes"; "" of none.
std::string count_words(const std::vector<Finding>& findings);
std::string advice_text(const Advice& advice);
std::string advice_json(const Advice& advice);
std::string_view advice_schema();  // of advice_json(): JSON Schema

// docs/advise.md: one section a rule.
std::string rules_page();
// A rule for a terminal.
struct RuleDef;
std::string rule_text(const RuleDef& rule);

}  // namespace openqnn::advise
