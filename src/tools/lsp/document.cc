// SPDX-License-Identifier: BSD-3-Clause
#include "tools/lsp/document.h"

#include <algorithm>
#include <utility>

#include "tools/lsp/cursor.h"

namespace openqnn::tools::lsp {
namespace {

// Each change moves and counts the whole text; this much work is a moment, and no editor comes near it.
constexpr uint64_t kMostWork = uint64_t{4} << 30;

void replace(std::string& text, const Range& range, std::string_view with, Encoding encoding) {
  const uint32_t begin = offset_in(text, encoding, range.begin);
  const uint32_t end = std::max(begin, offset_in(text, encoding, range.end));
  text.replace(begin, end - begin, with);
}

// An empty object counts as an HTP file for the checks, but its author has not decided yet.
std::optional<config::Kind> kind_of(const config::Document& document) {
  if (!document.config) return kind_of_draft(document.text);
  if (document.config->tree.as_object().empty()) return std::nullopt;
  return document.config->kind;
}

}  // namespace

Analysis::Analysis(std::string name, const std::string& text, const Settings& settings)
    : document(config::read(std::move(name), text)),
      findings(config::check_documents({&document}, settings.circumstances)),
      lines(document.text, settings.encoding),
      kind(kind_of(document)) {}

bool OpenDocument::change(int64_t version, const std::vector<TextChange>& changes, Encoding encoding) {
  analysis_.reset();
  version_ = version;
  uint64_t work = 0;
  for (const TextChange& change : changes) {
    if (!change.range) {
      text_ = change.text;
      lost_ = text_.size() > kLargestDocument;
    } else if (!lost_) {
      work += text_.size() + change.text.size();
      if (work > kMostWork || text_.size() + change.text.size() > kLargestDocument) {
        lost_ = true;
      } else {
        replace(text_, *change.range, change.text, encoding);
      }
    }
  }
  if (lost_) lose();
  return !lost_;
}

void OpenDocument::lose() {
  lost_ = true;
  std::string().swap(text_);
  analysis_.reset();
}

OpenDocument* OpenDocuments::open(std::string uri, int64_t version, std::string text) {
  close(uri);
  const bool fits = text.size() <= kLargestDocument && bytes() + uri.size() + text.size() <= kMostOpenBytes;
  if (!fits && bytes() + uri.size() > kMostOpenBytes) return nullptr;
  OpenDocument document(uri, version, fits ? std::move(text) : std::string());
  if (!fits) document.lose();
  return &documents_.emplace(std::move(uri), std::move(document)).first->second;
}

OpenDocument* OpenDocuments::find(std::string_view uri) {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

void OpenDocuments::close(std::string_view uri) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return;
  if (analysed_ == &found->second) analysed_ = nullptr;
  documents_.erase(found);
}

bool OpenDocuments::lose_if_too_much(OpenDocument& document) {
  if (bytes() <= kMostOpenBytes) return false;
  document.lose();
  return true;
}

const Analysis& OpenDocuments::analysis(OpenDocument& document, const Settings& settings) {
  if (analysed_ != &document) forget_analyses();
  analysed_ = &document;
  if (!document.analysis_)
    document.analysis_ = std::make_unique<const Analysis>(document.uri_, document.text_, settings);
  return *document.analysis_;
}

void OpenDocuments::forget_analyses() {
  if (analysed_ != nullptr) analysed_->analysis_.reset();
  analysed_ = nullptr;
}

size_t OpenDocuments::bytes() const {
  constexpr size_t kEach = 16u << 10;  // counted for each document, so that their number is bounded too
  size_t sum = 0;
  for (const auto& [uri, document] : documents_) sum += kEach + document.bytes();
  return sum;
}

}  // namespace openqnn::tools::lsp
