// SPDX-License-Identifier: BSD-3-Clause
// openqnn errors: what an error number means, what usually lies behind it, and what to do.
#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "json/json.h"
#include "profile/text_table.h"
#include "runtime/error_catalogue.h"
#include "runtime/error_search.h"
#include "tools/commands.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using json::Writer;
using runtime::ErrorCatalogue;
using runtime::ErrorCause;
using runtime::ErrorEntry;
using runtime::TransportCode;

std::string hex(uint32_t code) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%x", code);
  return text;
}

std::string component_name(const ErrorCatalogue& catalogue, uint32_t code) {
  const auto* component = catalogue.component_of(code);
  return component != nullptr ? component->name : "";
}

// ---- text

std::string list_text(const ErrorCatalogue& catalogue) {
  using Align = profile::TextTable::Align;
  std::string out;
  for (const runtime::ErrorComponent& component : catalogue.components) {
    profile::TextTable table({Align::kRight, Align::kLeft, Align::kLeft});
    bool any = false;
    for (const ErrorEntry& entry : catalogue.entries) {
      if (!entry.primary || catalogue.component_of(entry.code) != &component) continue;
      table.row({concat(entry.code), hex(entry.code), entry.name});
      any = true;
    }
    if (any) out += concat(bold(component.name), "\n", table.text(), "\n");
  }
  profile::TextTable table({Align::kLeft, Align::kLeft});
  for (const TransportCode& code : catalogue.transport) table.row({hex(code.code), code.name});
  out += concat(bold("Link to the DSP (seen in logs of devices)"), "\n", table.text());
  return out + "\n`openqnn errors CODE` tells what a code means, its usual causes and remedies.\n";
}

void append_causes(std::string& out, const std::vector<ErrorCause>& causes) {
  if (causes.empty()) return;
  out += "  Usual causes:\n";
  for (const ErrorCause& cause : causes)
    out += concat("    - ", cause.cause, " ", dim(concat("[", cause.source, "]")),
                  "\n      Remedy: ", cause.remedy, "\n");
}

// One code: the entry that was found first, then the other names of the code.
std::string entry_text(const ErrorCatalogue& catalogue, const std::vector<const ErrorEntry*>& names) {
  const ErrorEntry& entry = *names.front();
  std::string out = concat(entry.code, " (", hex(entry.code), ") ", bold(entry.name), "\n");
  out += concat("  Component: ", component_name(catalogue, entry.code), "\n  Meaning: ", entry.meaning,
                "\n  Remedy: ", entry.remedy, "\n");
  if (const ErrorEntry* primary = catalogue.primary(entry.code)) append_causes(out, primary->causes);
  if (names.size() > 1) out += "  The same code in other components:\n";
  for (size_t i = 1; i < names.size(); ++i)
    out += concat("    - ", names[i]->name, ": ", names[i]->meaning, "\n");
  return out;
}

std::string transport_text(const TransportCode& code) {
  std::string out = concat(hex(code.code), " ", bold(code.name), ", a code of the link to the DSP\n");
  out += concat("  Meaning: ", code.meaning, " ", dim(concat("[", code.source, "]")),
                "\n  Remedy: ", code.remedy, "\n");
  append_causes(out, code.causes);
  std::string following;
  for (const uint32_t next : code.leads_to) append_item(following, next);
  if (!following.empty()) out += concat("  QNN codes that follow in a log: ", following, "\n");
  return out;
}

bool one_code(const std::vector<const ErrorEntry*>& entries) {
  return std::ranges::all_of(entries,
                             [&](const ErrorEntry* entry) { return entry->code == entries[0]->code; });
}

std::string matches_text(const ErrorCatalogue& catalogue, const runtime::ErrorMatches& matches) {
  std::string out = matches.note.empty() ? "" : concat("Note: ", matches.note, ".\n\n");
  if (!matches.entries.empty() && one_code(matches.entries)) {
    out += entry_text(catalogue, matches.entries);
  } else {
    for (const ErrorEntry* entry : matches.entries)
      out +=
          concat(entry->code, " (", hex(entry->code), ") ", bold(entry->name), "\n  ", entry->meaning, "\n");
  }
  bool first = matches.entries.empty();
  for (const TransportCode* code : matches.transport) {
    out += concat(first ? "" : "\n", transport_text(*code));
    first = false;
  }
  return out;
}

// ---- JSON

void write_causes(Writer& out, const std::vector<ErrorCause>& causes) {
  out.key("causes").begin_array();
  for (const ErrorCause& cause : causes) {
    out.begin_object().key("cause").string(cause.cause).key("remedy").string(cause.remedy);
    out.key("source").string(cause.source).end_object();
  }
  out.end_array();
}

void write_entry(Writer& out, const ErrorCatalogue& catalogue, const ErrorEntry& entry) {
  out.begin_object().key("code").unsigned_integer(entry.code).key("hex").string(hex(entry.code));
  out.key("name").string(entry.name).key("component").string(component_name(catalogue, entry.code));
  out.key("meaning").string(entry.meaning).key("remedy").string(entry.remedy);
  write_causes(out, entry.causes);
  out.end_object();
}

void write_transport(Writer& out, const TransportCode& code) {
  out.begin_object().key("code").unsigned_integer(code.code).key("hex").string(hex(code.code));
  out.key("name").string(code.name).key("meaning").string(code.meaning).key("remedy").string(code.remedy);
  out.key("source").string(code.source).key("leads_to").begin_array(Writer::Style::kInline);
  for (const uint32_t next : code.leads_to) out.unsigned_integer(next);
  out.end_array();
  write_causes(out, code.causes);
  out.end_object();
}

std::string matches_json(const ErrorCatalogue& catalogue, const runtime::ErrorMatches& matches) {
  Writer out;
  out.begin_object().key("note").string(matches.note).key("errors").begin_array();
  for (const ErrorEntry* entry : matches.entries) write_entry(out, catalogue, *entry);
  out.end_array().key("transport").begin_array();
  for (const TransportCode* code : matches.transport) write_transport(out, *code);
  out.end_array().end_object();
  return out.take();
}

runtime::ErrorMatches everything(const ErrorCatalogue& catalogue) {
  runtime::ErrorMatches all;
  for (const ErrorEntry& entry : catalogue.entries) all.entries.push_back(&entry);
  for (const TransportCode& code : catalogue.transport) all.transport.push_back(&code);
  return all;
}

int run_errors(const Args& args) {
  const auto catalogue = runtime::error_catalogue();
  if (!catalogue) return fail("cannot read the error codes", catalogue.error());
  const std::string query = joined(args.positionals());
  if (query.empty()) {
    print(args.has("--json") ? matches_json(*catalogue, everything(*catalogue)) : list_text(*catalogue));
    return kOk;
  }
  const auto matches = runtime::find_errors(*catalogue, query);
  if (!matches) return fail("cannot explain the error", matches.error());
  print(args.has("--json") ? matches_json(*catalogue, *matches) : matches_text(*catalogue, *matches));
  return kOk;
}

}  // namespace

Command errors_command() {
  return {.spec = {.name = "errors",
                   .summary = "Explain an error number: meaning, usual causes, remedies",
                   .details = R"(
QUERY is a number (decimal, hexadecimal, or a whole 64-bit error handle, whose low 16 bits
are the code), a name or a piece of one, a code of the link to the DSP such as 0x80000406,
a line of a log, or words to look for. Causes tell where they come from: documents, public
reports of users, or our reading. Without QUERY: all codes by component.)",
                   .positionals = {{"QUERY", "e.g. 5005, 0x138d, create_from_binary or vtcm", false, true}},
                   .options = {{"--json", "", "print JSON for programs"}},
                   .examples =
                       {"openqnn errors                      all codes",
                        "openqnn errors 5005                 a context binary does not load",
                        "openqnn errors 0x138d               the same code",
                        "openqnn errors create_from_binary   by name",
                        "openqnn errors vtcm                 by a word",
                        "openqnn errors \"qnn_open failed, 0x80000406\"   by a line of a log",
                        "openqnn errors -- -2147482618       a code that was printed as a signed number"}},
          .run = run_errors};
}

}  // namespace openqnn::tools
