// SPDX-License-Identifier: BSD-3-Clause
// A difference for people, for programs, and as a page.
#include <algorithm>

#include "base/text.h"
#include "json/json.h"
#include "profile/diff/diff.h"
#include "profile/page/page.h"
#include "profile/text_table.h"

namespace openqnn::profile {
namespace {

using qhas::Model;

std::string signed_text(int64_t value) { return concat(value > 0 ? "+" : "", value); }

// "-14.2 %"; nothing can be said of a change from 0.
std::string change_text(uint64_t a, uint64_t b) {
  if (a == b) return "0.0 %";
  if (a == 0) return "new";
  const bool less = b < a;
  return concat(less ? "-" : "+", percent_text(less ? a - b : b - a, a));
}

struct Figure {
  std::string name;
  uint64_t a = 0;
  uint64_t b = 0;
  std::string text_a;
  std::string text_b;
};

std::vector<Figure> figures(const Diff& diff) {
  const Model& a = *diff.a.model;
  const Model& b = *diff.b.model;
  const auto micros = [](std::string name, Nanos x, Nanos y) {
    return Figure{std::move(name), x.value, y.value, micros_text(x) + " us", micros_text(y) + " us"};
  };
  const auto count = [](std::string name, uint64_t x, uint64_t y) {
    return Figure{std::move(name), x, y, concat(x), concat(y)};
  };
  const auto bytes = [](std::string name, uint64_t x, uint64_t y) {
    auto [x_text, y_text] = memory_texts(x, y);
    return Figure{std::move(name), x, y, std::move(x_text), std::move(y_text)};
  };
  const qhas::Traffic x = a.traffic();
  const qhas::Traffic y = b.traffic();
  return {micros("Accelerator time (simulated)", a.accelerator, b.accelerator),
          micros("QNN execute (simulated)", a.client, b.client),
          count("Cycles", a.total.value, b.total.value),
          count("Idle cycles", (a.total - a.busy).value, (b.total - b.busy).value),
          bytes("DDR to VTCM", x.dram_read, y.dram_read),
          bytes("VTCM to DDR", x.dram_write, y.dram_write),
          bytes("VTCM peak", a.vtcm_peak, b.vtcm_peak),
          count("QNN ops", a.ops.size(), b.ops.size()),
          count("HTP ops", a.htp_ops.size(), b.htp_ops.size())};
}

size_t same_count(const Diff& diff) {
  return static_cast<size_t>(std::ranges::count(diff.ops, OpChange::Kind::kSame, &OpChange::kind));
}

std::string joined_reasons(const OpChange& op) {
  std::string text;
  for (const std::string& reason : op.why) text += concat(text.empty() ? "" : "; ", one_line(reason));
  return text;
}

}  // namespace

std::string diff_text(const Diff& diff, size_t most) {
  using Align = TextTable::Align;
  std::string out = "SIMULATED: these numbers come from a model of the NPU, not from a device.\n\n";
  out += concat("A  ", one_line(diff.a.name), "\nB  ", one_line(diff.b.name), "\n\n");
  TextTable sums({Align::kLeft, Align::kRight, Align::kRight, Align::kRight});
  sums.row({"", "A", "B", "Change"});
  sums.rule();
  for (const Figure& figure : figures(diff))
    sums.row({figure.name, figure.text_a, figure.text_b, change_text(figure.a, figure.b)});
  out += sums.text();

  out += "\nWhat the runs were made with\n";
  for (const SettingChange& change : diff.settings)
    out += concat("  ", change.what, ": ", one_line(change.a), " → ", one_line(change.b), "\n");
  if (diff.settings.empty()) out += "  no difference\n";

  const auto changes = diff.largest_first();
  out += concat("\nOps by how much their part of the timeline changed: ", changes.size(), " differ, ",
                same_count(diff), " are the same\n");
  if (!changes.empty()) out += "  cycles  op (type): why\n";
  for (size_t i = 0; i < std::min(most, changes.size()); ++i) {
    const OpChange& op = *changes[i];
    std::string delta = signed_text(op.delta());
    delta.insert(0, delta.size() < 8 ? 8 - delta.size() : 0, ' ');
    out += concat(delta, "  ", one_line(op.name), " (", one_line(op.type), "): ", joined_reasons(op), "\n");
  }
  if (changes.size() > most) out += concat("          and ", changes.size() - most, " more\n");
  return out;
}

// ---- For programs

namespace {

json::Writer& begin_line(json::Writer& out, std::string_view kind) {
  return out.begin_object(json::Writer::Style::kInline).key("record").string(kind);
}

}  // namespace

std::string diff_json_lines(const Diff& diff) {
  std::string lines;
  for (const auto& [side, name] : {std::pair(&diff.a, "a"), std::pair(&diff.b, "b")}) {
    json::Writer out;
    begin_line(out, "run").key("side").string(name).key("name").string(side->name);
    out.key("clock").string("simulated").key("soc").string(side->model->soc);
    out.key("cycles").unsigned_integer(side->model->total.value);
    out.key("accelerator_us").number(in_micros(side->model->accelerator));
    out.key("model").string(side->model->timing);
    out.key("error_band").number(side->model->error_band).end_object();
    lines += out.take();
  }
  for (const SettingChange& change : diff.settings) {
    json::Writer out;
    begin_line(out, "setting").key("what").string(change.what);
    out.key("a").string(change.a).key("b").string(change.b).end_object();
    lines += out.take();
  }
  for (const OpChange& op : diff.ops) {
    json::Writer out;
    begin_line(out, "op").key("name").string(op.name).key("type").string(op.type);
    out.key("kind").string(kind_name(op.kind));
    out.key("dominant_cycles_a").unsigned_integer(op.dominant_a.value);
    out.key("dominant_cycles_b").unsigned_integer(op.dominant_b.value).key("delta").integer(op.delta());
    out.key("why").begin_array(json::Writer::Style::kInline);
    for (const std::string& reason : op.why) out.string(reason);
    out.end_array().end_object();
    lines += out.take();
  }
  return lines;
}

// ---- As a page

namespace {

// All of it is text from a model, a file name or a number.
std::string cell(std::string_view text, std::string_view kind = "") {
  return concat("<td", kind, ">", escaped_html(text), "</td>");
}

std::string figure_rows(const Diff& diff) {
  std::string out;
  for (const Figure& figure : figures(diff)) {
    const std::string_view kind = figure.a == figure.b  ? " class=\"n\""
                                  : figure.b < figure.a ? " class=\"n better\""
                                                        : " class=\"n worse\"";
    out +=
        concat("<tr>", cell(figure.name), cell(figure.text_a, " class=\"n\""),
               cell(figure.text_b, " class=\"n\""), cell(change_text(figure.a, figure.b), kind), "</tr>\n");
  }
  return out;
}

std::string setting_rows(const Diff& diff) {
  std::string out;
  for (const SettingChange& change : diff.settings)
    out += concat("<tr>", cell(change.what), cell(change.a), cell(change.b), "</tr>\n");
  return diff.settings.empty() ? "<tr><td colspan=\"3\">no difference</td></tr>\n" : out;
}

std::string op_rows(const Diff& diff) {
  std::string out;
  for (const OpChange* op : diff.largest_first()) {
    const std::string_view kind = op->delta() == 0 ? "" : op->delta() < 0 ? " better" : " worse";
    out += concat("<tr>", cell(op->name), cell(op->type), cell(kind_name(op->kind)),
                  cell(concat(op->dominant_a.value), " class=\"n\""),
                  cell(concat(op->dominant_b.value), " class=\"n\""),
                  cell(signed_text(op->delta()), concat(" class=\"n", kind, "\"")),
                  cell(joined_reasons(*op), " class=\"why\""), "</tr>\n");
  }
  return out;
}

}  // namespace

std::string diff_page(const Diff& diff) {
  const auto card = [](const DiffSide& side) {
    return escaped_html(concat(side.name, ": ", side.model->graph, " on ", side.model->soc, ", ",
                               side.model->timing, ", error band ", error_band_text(side.model->error_band)));
  };
  return filled_page(page_file("page/diff.html"), {{"style", std::string(page_file("page/page.css"))},
                                                   {"a", card(diff.a)},
                                                   {"b", card(diff.b)},
                                                   {"figures", figure_rows(diff)},
                                                   {"settings", setting_rows(diff)},
                                                   {"same", concat(same_count(diff))},
                                                   {"ops", op_rows(diff)},
                                                   {"script", std::string(page_file("page/diff.js"))}});
}

}  // namespace openqnn::profile
