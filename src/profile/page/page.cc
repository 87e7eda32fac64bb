// SPDX-License-Identifier: BSD-3-Clause
#include "profile/page/page.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "profile/page/columns.h"

namespace openqnn::profile {
namespace {

using qhas::Cost;
using qhas::HtpOp;
using qhas::Model;
using qhas::Traffic;

// What data.js reads, column by column; the two change together.
class PageData {
 public:
  PageData(const Model& model, std::string_view made_by) : model_(model), made_by_(made_by) {}

  std::string write() {
    out_.begin_object();
    head();
    resources();
    op_types();
    ops();
    htp_types();
    tensors();
    htp_ops();
    path();
    services();
    vtcm();
    votes();
    yields();
    out_.end_object();
    return out_.take();
  }

 private:
  void head() {
    out_.begin_object("head");
    out_.text("model_id", model_.model_id);
    out_.text("graph", model_.graph);
    out_.text("soc", model_.soc);
    out_.text("prepared_for", model_.prepared_for);
    out_.text("timing", model_.timing);
    out_.text("vote", model_.power_vote);
    out_.text("perf_profile", model_.power.perf_profile);
    out_.number("power_up_us", in_micros(model_.power.power_up));
    out_.text("made_by", made_by_);
    out_.number("arch", model_.arch);
    out_.number("optimization", model_.optimization);
    out_.number("hvx_threads", model_.hvx_threads);
    out_.number("cores", model_.cores);
    out_.column("transfers", model_.transfers, [](const std::string& text) { return text; });
    out_.number("vtcm_bytes", static_cast<double>(model_.vtcm_of_all_cores()));
    out_.number("vtcm_peak", static_cast<double>(model_.vtcm_peak));
    out_.number("error_band", model_.error_band);
    out_.number("clock_hz", model_.clock_hz);
    out_.number("total", static_cast<double>(model_.total.value));
    out_.number("busy", static_cast<double>(model_.busy.value));
    out_.number("accelerator_us", in_micros(model_.accelerator));
    out_.number("rpc_us", in_micros(model_.rpc));
    out_.number("client_us", in_micros(model_.client));
    out_.column("assumptions", model_.assumptions, [](const std::string& text) { return text; });
    out_.column("unavailable", model_.unavailable, [](const qhas::Unavailable& one) {
      return std::vector<std::string>{one.what, one.because};
    });
    out_.end_object();
  }

  template <class Rows, class TrafficOf>
  void traffic(const Rows& rows, const TrafficOf& of) {
    out_.column("dr", rows, [&](const auto& row) { return of(row).dram_read; });
    out_.column("dw", rows, [&](const auto& row) { return of(row).dram_write; });
    out_.column("vr", rows, [&](const auto& row) { return of(row).vtcm_read; });
    out_.column("vw", rows, [&](const auto& row) { return of(row).vtcm_write; });
  }

  template <class Rows>
  void costs(const Rows& rows) {
    out_.column("cycles", rows, [](const auto& row) { return row.cost.cycles; });
    out_.column("dma", rows, [](const auto& row) { return row.cost.dma; });
    out_.column("dom", rows, [](const auto& row) { return row.cost.dominant; });
    out_.column("n", rows, [](const auto& row) { return row.cost.htp_ops; });
    traffic(rows, [](const auto& row) { return row.cost.traffic; });
  }

  void resources() {
    const auto& rows = model_.resources;
    out_.begin_object("resources");
    out_.column("name", rows, [](const auto& row) { return row.name(); });
    out_.column("tid", rows, [](const auto& row) { return row.tid; });
    out_.column("start", rows, [](const auto& row) { return row.start; });
    out_.column("end", rows, [](const auto& row) { return row.end; });
    out_.column("used", rows, [](const auto& row) { return row.used; });
    traffic(rows, [](const auto& row) { return row.traffic; });
    out_.end_object();
  }

  void op_types() {
    out_.begin_object("opTypes");
    out_.column("type", model_.op_types, [](const auto& row) { return row.type; });
    out_.column("instances", model_.op_types, [](const auto& row) { return row.instances; });
    costs(model_.op_types);
    out_.end_object();
  }

  // Their costs are sums over HTP ops, which the page makes itself.
  void ops() {
    const auto& rows = model_.ops;
    out_.begin_object("ops");
    out_.names("name", rows, [](const auto& row) { return row.name; });
    out_.choices("type", rows, [](const auto& row) { return row.type; });
    lists("nodes", rows, [](const auto& row) {
      return row.nodes.size() > 1 ? row.nodes : std::vector<std::string>{};  // one alone is the op itself
    });
    lists("framework", rows, [](const auto& row) { return row.framework; });
    out_.choices("units", rows, [](const auto& row) { return row.units; });
    out_.choices("dtype", rows, [](const auto& row) { return row.dtype; });
    out_.choices("shape", rows, [](const auto& row) { return row.shape; });
    out_.choices("tile", rows, [](const auto& row) { return row.tile; });
    out_.column("tiles", rows, [](const auto& row) { return row.tiles; });
    out_.choices("bound", rows, [](const auto& row) { return row.bound; });
    out_.end_object();
  }

  // A list of names for each row: how many, and all of them.
  template <class Rows, class ListOf>
  void lists(std::string_view name, const Rows& rows, const ListOf& list_of) {
    std::vector<std::string> all;
    out_.begin_object(name);
    out_.column("count", rows, [&](const auto& row) {
      const std::vector<std::string> list = list_of(row);
      all.insert(all.end(), list.begin(), list.end());
      return uint64_t{list.size()};
    });
    out_.names("names", all, [](const std::string& text) { return text; });
    out_.end_object();
  }

  void htp_types() {
    out_.begin_object("htpTypes");
    out_.column("name", model_.htp_op_types, [](const auto& row) { return row.name; });
    out_.column("ref", model_.htp_op_types, [](const auto& row) { return uint32_t{row.reference_op}; });
    costs(model_.htp_op_types);
    out_.end_object();
  }

  void tensors() {
    out_.begin_object("tensors");
    out_.names("name", model_.tensors, [](const auto& row) { return row.name; });
    out_.choices("dtype", model_.tensors, [](const auto& row) { return row.dtype; });
    out_.end_object();
  }

  bool moves(const HtpOp& row) const {
    return model_.resources[row.resource].type == soc::unit_name(soc::Unit::kDma);
  }

  void htp_ops() {
    const auto& rows = model_.htp_ops;
    out_.begin_object("htp");
    out_.differences("id", rows, [](const HtpOp& row) { return row.id; });
    out_.column("type", rows, [](const HtpOp& row) { return row.type; });
    // Which resource, and how many from there on.
    out_.choices("on", rows, [](const HtpOp& row) { return concat(row.resource, " ", row.instances); });
    out_.differences("op", rows, [](const HtpOp& row) { return row.op; });
    out_.differences("tensor", rows, [](const HtpOp& row) { return row.tensor; });
    out_.choices("dims", rows, [](const HtpOp& row) { return row.dims.to_string(); });
    out_.differences("start", rows, [](const HtpOp& row) { return row.start.value; });
    out_.column("cycles", rows, [](const HtpOp& row) { return row.cycles; });
    out_.column("hidden", rows, [](const HtpOp& row) { return row.cycles - row.dominant; });
    out_.column("vr", rows, [](const HtpOp& row) { return row.traffic.vtcm_read; });
    out_.column("vw", rows, [](const HtpOp& row) { return row.traffic.vtcm_write; });
    // How many bytes fewer a transfer has on DRAM's side: compressed, or in the system-level cache.
    out_.column("saved", rows, [&](const HtpOp& row) { return moves(row) ? row.traffic.saved() : 0; });
    out_.column("bound", rows, [](const HtpOp& row) { return static_cast<uint32_t>(row.bound); });
    out_.column("inputs", rows, [](const HtpOp& row) { return uint64_t{row.inputs.size()}; });
    std::vector<uint32_t> before;  // how many ids before its own each input is
    for (const HtpOp& row : rows)
      for (const uint32_t input : row.inputs) before.push_back(row.id - input);
    out_.column("before", before, [](uint32_t value) { return value; });
    out_.end_object();
    std::vector<std::string> bounds;
    for (size_t i = 0; i < sim::kBoundCount; ++i)
      bounds.emplace_back(sim::bound_name(static_cast<sim::Bound>(i)));
    out_.column("bounds", bounds, [](const std::string& text) { return text; });
  }

  void path() {
    Cycles last;
    out_.begin_object("path");
    out_.column("gap", model_.dominant_path, [&](const qhas::PathStep& step) {
      const Cycles gap = step.start - last;
      last = step.start + step.cycles;
      return gap;
    });
    out_.column("cycles", model_.dominant_path, [](const auto& row) { return row.cycles; });
    out_.differences("htp", model_.dominant_path, [](const auto& row) { return row.htp_op; });
    out_.end_object();
  }

  void services() {
    out_.begin_object("services");
    out_.column("name", model_.services, [](const auto& row) { return row.name; });
    out_.column("meaning", model_.services, [](const auto& row) { return row.meaning; });
    out_.column("unavailable", model_.services, [](const auto& row) { return row.unavailable; });
    costs(model_.services);
    out_.end_object();
  }

  void vtcm() {
    const std::vector<qhas::VtcmUse> points = thinned(model_.vtcm);
    out_.begin_object("vtcm");
    out_.number("points", static_cast<double>(model_.vtcm.size()));
    out_.differences("at", points, [](const auto& row) { return row.at.value; });
    out_.column("bytes", points, [](const auto& row) { return row.bytes; });
    out_.end_object();
  }

  void votes() {
    const auto& rows = model_.power.rows;
    out_.begin_object("votes");
    out_.number("left_out", static_cast<double>(model_.power.rows_left_out));
    out_.column("at", rows, [](const PowerRow& row) { return in_micros(row.at); });
    out_.column("lasts", rows, [](const PowerRow& row) { return in_micros(row.lasts.value_or(Nanos{})); });
    out_.column("what", rows, [](const PowerRow& row) { return row.what; });
    out_.column("core", rows, [](const PowerRow& row) { return row.core; });
    out_.column("hmx", rows, [](const PowerRow& row) { return row.hmx; });
    out_.column("bus", rows, [](const PowerRow& row) { return row.bus; });
    out_.column("details", rows, [](const PowerRow& row) { return row.details; });
    out_.column("permille", rows, [](const PowerRow& row) { return row.core_permille; });
    out_.end_object();
  }

  void yields() {
    out_.begin_object("yields");
    out_.number("acquire", static_cast<double>(model_.acquire.value));
    out_.column("start", model_.yields, [](const sim::Yield& row) { return row.start.value; });
    out_.column("save", model_.yields, [](const sim::Yield& row) { return row.save.value; });
    out_.column("wait", model_.yields, [](const sim::Yield& row) { return row.wait.value; });
    out_.column("restore", model_.yields, [](const sim::Yield& row) { return row.restore.value; });
    out_.column("bytes", model_.yields, [](const sim::Yield& row) { return row.bytes.value; });
    out_.end_object();
  }

  // No screen shows more. Of each stretch the highest stays, so that peaks do; the page tells, and the JSON
  // has all.
  static std::vector<qhas::VtcmUse> thinned(const std::vector<qhas::VtcmUse>& points) {
    constexpr size_t kMost = 20'000;
    const size_t stretch = ceil_div(points.size(), kMost);
    std::vector<qhas::VtcmUse> out;
    for (size_t at = 0; at < points.size(); at += stretch) {
      const size_t end = std::min(points.size(), at + stretch);
      qhas::VtcmUse use = points[at];
      for (size_t i = at; i < end; ++i) use.bytes = std::max(use.bytes, points[i].bytes);
      out.push_back(use);
    }
    if (!out.empty() && out.back().at < points.back().at) out.push_back(points.back());  // how it ends
    return out;
  }

  const Model& model_;
  std::string_view made_by_;
  Columns out_;
};

// All in one scope; what runs at once stands behind what it needs.
constexpr std::array<std::string_view, 6> kScripts = {"data",     "charts",   "table",
                                                      "timeline", "sections", "main"};

std::string script() {
  std::string text;
  for (const std::string_view name : kScripts) text += page_file(concat("page/", name, ".js"));
  return text;
}

}  // namespace

std::string_view page_file(std::string_view name) {
  for (const EmbeddedFile& file : std::span(kPageFiles, kPageFileCount))
    if (file.name == name) return file.text;
  return {};
}

std::string_view qhas::qhas_schema() { return page_file("qhas/qhas_schema.json"); }

std::string escaped_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string filled_page(std::string_view text, const PageParts& parts) {
  constexpr std::string_view kOpen = "<!--";
  constexpr std::string_view kClose = "-->";
  std::string out;
  while (true) {
    const size_t open = text.find(kOpen);
    const size_t close = text.find(kClose, open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) return out += text;
    out += text.substr(0, open);
    const auto part = parts.find(text.substr(open + kOpen.size(), close - open - kOpen.size()));
    if (part != parts.end()) out += part->second;
    text.remove_prefix(close + kClose.size());
  }
}

std::string qhas_page(const Model& model, std::string_view made_by) {
  return filled_page(page_file("page/page.html"),
                     {{"title", escaped_html(concat("HTP Analysis Summary: ", model.model_id))},
                      {"style", std::string(page_file("page/page.css"))},
                      {"data", PageData(model, made_by).write()},
                      {"script", script()}});
}

}  // namespace openqnn::profile
