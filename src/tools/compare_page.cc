// SPDX-License-Identifier: BSD-3-Clause
#include "tools/compare_page.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "json/json.h"
#include "profile/page/page.h"
#include "tools/console.h"
#include "tools/model_job.h"

namespace openqnn::tools {
namespace {

// What is not finite is worse than any ratio.
double badness(const std::optional<CompareReport::Cell>& cell) {
  if (!cell) return INFINITY;
  if (!cell->has_numbers) return -INFINITY;
  return cell->not_finite != 0 || std::isnan(cell->sqnr) ? -INFINITY : cell->sqnr;
}

double worst(const CompareReport::Row& row) {
  double lowest = INFINITY;
  for (const auto& cell : row.results) lowest = std::min(lowest, badness(cell));
  return lowest;
}

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
:root{color-scheme:light dark;--line:#8884;--bad:#c0392b;--bar:#2e86de}
body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:left}
th{cursor:pointer;position:sticky;top:0;background:Canvas}td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.n i{display:inline-block;height:.7em;background:var(--bar);margin-left:.5em;vertical-align:baseline}
td.low{color:var(--bad);font-weight:600}td small{opacity:.7}input{font:inherit;padding:.3rem;width:20rem}
</style>
)";

constexpr std::string_view kScript = R"(<script>
const table=document.querySelector('table'),body=table.tBodies[0];
document.querySelector('input').addEventListener('input',e=>{const t=e.target.value.toLowerCase();
for(const r of body.rows)r.hidden=!r.textContent.toLowerCase().includes(t)});
table.tHead.addEventListener('click',e=>{const th=e.target.closest('th');if(!th)return;const i=th.cellIndex;
const up=th.dataset.up!=='1';th.dataset.up=up?'1':'0';
const key=r=>{const v=r.cells[i].dataset.v;return v===undefined?r.cells[i].textContent:Number(v)};
[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);return (x<y?-1:x>y?1:0)*(up?1:-1)}).forEach(r=>body.append(r))});
</script>
)";

// Ratios are shown as bars up to this many decibels.
constexpr double kFullBar = 80.0;

std::string cell_html(const std::optional<CompareReport::Cell>& cell, double threshold) {
  if (!cell) return "<td class=\"n\" data-v=\"9999\">-</td>";
  const double value = badness(cell);
  const std::string text = ratio_text(*cell);
  const double width = std::clamp(std::isinf(value) ? (value > 0 ? kFullBar : 0) : value, 0.0, kFullBar);
  return concat("<td class=\"n", value < threshold ? " low" : "", "\" data-v=\"",
                fixed(std::clamp(value, -9999.0, 9999.0), 3), "\" title=\"computed as ",
                profile::escaped_html(cell->computed_as), ", largest difference ", cell->largest, "\">", text,
                "<i style=\"width:", fixed(width, 0), "px\"></i></td>");
}

}  // namespace

std::vector<const CompareReport::Row*> CompareReport::worst_first() const {
  std::vector<const Row*> sorted;
  for (const Row& row : rows) sorted.push_back(&row);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Row* a, const Row* b) { return worst(*a) < worst(*b); });
  return sorted;
}

const CompareReport::Row* CompareReport::first_below(size_t precision) const {
  for (const Row& row : rows)
    if (badness(row.results[precision]) < threshold) return &row;
  return nullptr;
}

CompareReport::Numberless CompareReport::numberless(size_t precision) const {
  Numberless found;
  for (const Row& row : rows) {
    const auto& cell = row.results[precision];
    if (!cell || cell->has_numbers) continue;
    if (found.count++ == 0) found.first = &row;
  }
  return found;
}

bool CompareReport::no_output_has_numbers() const {
  bool any_output = false;
  for (const Row& row : rows) {
    if (!row.is_output) continue;
    any_output = true;
    for (const auto& cell : row.results)
      if (cell && cell->has_numbers) return false;
  }
  return any_output;
}

std::string CompareReport::summary(size_t precision) const {
  if (const Numberless without = numberless(precision); without.count != 0)
    return concat(without.count, without.count == 1 ? " layer has" : " layers have",
                  " no finite value, neither in float: nothing to compare; the first is ",
                  without.first->tensor, " (", without.first->type, ")");
  const Row* first = first_below(precision);
  if (first == nullptr) return concat("every layer is at least ", fixed(threshold, 1), " dB from noise");
  return concat("the first layer below ", fixed(threshold, 1), " dB is ", first->tensor, " (", first->type,
                ")");
}

std::string ratio_text(const CompareReport::Cell& cell) {
  if (!cell.has_numbers) return "no numbers";
  if (cell.not_finite != 0) return "not finite";
  if (std::isinf(cell.sqnr) && cell.sqnr > 0) return "exact";
  return fixed(cell.sqnr, 1);
}

std::vector<std::string> CompareReport::decisions(size_t precision) const {
  std::vector<std::string> sentences;
  for (const Row& row : rows) {
    const auto& cell = row.results[precision];
    if (!cell || !cell->has_numbers || cell->decisions.count == 0) continue;
    sentences.push_back(concat(row.tensor, ": the largest element is where float has it in ",
                               cell->decisions.same, " of ", cell->decisions.count,
                               cell->decisions.count == 1 ? " row" : " rows"));
  }
  return sentences;
}

std::string json_of(const CompareReport& report) {
  json::Writer out;
  using Style = json::Writer::Style;
  out.begin_object().key("model").string(report.model).key("samples").unsigned_integer(report.samples);
  out.key("random_inputs").boolean(report.random).key("threshold_db").number(report.threshold);
  out.key("own_encodings").unsigned_integer(report.own_encodings);
  out.key("first_below_threshold").begin_object();
  for (size_t i = 0; i < report.precisions.size(); ++i) {
    const CompareReport::Row* first = report.first_below(i);
    out.key(report.precisions[i]);
    if (first == nullptr)
      out.null();
    else
      out.string(first->tensor);
  }
  out.end_object().key("decisions").begin_object();
  for (size_t i = 0; i < report.precisions.size(); ++i) {
    out.key(report.precisions[i]).begin_array();
    for (const std::string& sentence : report.decisions(i)) out.string(sentence);
    out.end_array();
  }
  out.end_object().key("layers").begin_array();
  for (const CompareReport::Row& row : report.rows) {
    out.begin_object()
        .key("tensor")
        .string(row.tensor)
        .key("node")
        .string(row.node)
        .key("type")
        .string(row.type);
    out.key("sources").begin_array(Style::kInline);
    for (const std::string& source : row.sources) out.string(source);
    out.end_array();
    for (size_t i = 0; i < report.precisions.size(); ++i) {
      out.key(report.precisions[i]);
      const auto& cell = row.results[i];
      if (!cell) {
        out.null();
        continue;
      }
      out.begin_object(Style::kInline).key("computed_as").string(cell->computed_as);
      out.key("exact").boolean(cell->has_numbers && std::isinf(cell->sqnr) && cell->sqnr > 0);
      out.key("has_numbers").boolean(cell->has_numbers);
      out.key("sqnr_db").number(cell->sqnr).key("largest_difference").number(cell->largest);
      out.key("not_finite").unsigned_integer(cell->not_finite);
      if (cell->has_numbers && cell->decisions.count != 0) {
        out.key("decisions").unsigned_integer(cell->decisions.count);
        out.key("same_decisions").unsigned_integer(cell->decisions.same);
      }
      out.end_object();
    }
    out.end_object();
  }
  out.end_array().end_object();
  return out.take();
}

std::string page_of(const CompareReport& report) {
  std::string out(kHead);
  out += concat("<title>", profile::escaped_html(report.model),
                ": layers against float</title></head><body>\n<h1>", profile::escaped_html(report.model),
                "</h1>\n<p>", report.rows.size(), " layers, ", samples_text(report.samples, report.random),
                ". Ratio of signal to quantization noise in dB, measured with the modelled NPU's numbers "
                "against single "
                "precision; below ",
                fixed(report.threshold, 1), " dB in red.</p>\n");
  for (size_t i = 0; i < report.precisions.size(); ++i) {
    out += concat("<p><b>", profile::escaped_html(report.precisions[i]),
                  "</b>: ", profile::escaped_html(report.summary(i)), ".</p>\n");
    for (const std::string& sentence : report.decisions(i))
      out += concat("<p>", profile::escaped_html(sentence), ".</p>\n");
  }
  out +=
      "<p><input placeholder=\"filter\" "
      "aria-label=\"filter\"></p>\n<table><thead><tr><th>#</th><th>tensor</th>"
      "<th>made by</th><th>in the model</th>";
  for (const std::string& precision : report.precisions)
    out += concat("<th>", profile::escaped_html(precision), "</th>");
  out += "</tr></thead><tbody>\n";
  for (const CompareReport::Row* row : report.worst_first()) {
    const auto place = static_cast<uint64_t>(row - report.rows.data());
    std::string sources;
    for (const std::string& source : row->sources) append_item(sources, profile::escaped_html(source));
    out += concat("<tr><td class=\"n\" data-v=\"", place, "\">", place, "</td><td>",
                  profile::escaped_html(row->tensor), "</td><td>", profile::escaped_html(row->type),
                  "</td><td><small>", sources, "</small></td>");
    for (const auto& cell : row->results) out += cell_html(cell, report.threshold);
    out += "</tr>\n";
  }
  out += "</tbody></table>\n";
  out += kScript;
  return out + "</body></html>\n";
}

}  // namespace openqnn::tools
