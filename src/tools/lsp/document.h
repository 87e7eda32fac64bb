// SPDX-License-Identifier: BSD-3-Clause
// The texts that the client has open, and what the checks say about them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/check.h"
#include "tools/lsp/positions.h"

namespace openqnn::tools::lsp {

// Far above any real configuration; a text beyond it is somebody's data file.
inline constexpr size_t kLargestDocument = 16u << 20;
inline constexpr size_t kMostOpenBytes = 256u << 20;  // of all documents together

// What client and server agreed on, and what the user told about the configuration's use.
struct Settings {
  Encoding encoding = Encoding::kUtf16;
  bool markdown = false;          // the client shows Markdown
  bool symbols_in_trees = false;  // the client takes symbols in symbols
  config::Circumstances circumstances;
};

// A part of a text that the client replaced; the whole text when there is no range.
struct TextChange {
  std::optional<Range> range;
  std::string text;
};

// What is known of a text. Made anew after each change.
struct Analysis {
  Analysis(std::string name, const std::string& text, const Settings& settings);

  config::Document document;
  std::vector<config::Finding> findings;
  Lines lines;
  std::optional<config::Kind> kind;  // of the file, as far as its keys tell

  std::string_view text() const { return document.text; }
};

class OpenDocument {
 public:
  OpenDocument(std::string uri, int64_t version, std::string text)
      : uri_(std::move(uri)), version_(version), text_(std::move(text)) {}

  const std::string& uri() const { return uri_; }
  int64_t version() const { return version_; }
  const std::string& text() const { return text_; }
  size_t bytes() const { return uri_.size() + text_.size(); }

  // False when the changes cannot be followed (too large, too many); the text is then lost until the client
  // sends it as a whole.
  bool change(int64_t version, const std::vector<TextChange>& changes, Encoding encoding);
  bool lost() const { return lost_; }
  void lose();

 private:
  friend class OpenDocuments;
  std::string uri_;
  int64_t version_;
  std::string text_;
  bool lost_ = false;
  std::unique_ptr<const Analysis> analysis_;
};

class OpenDocuments {
 public:
  // Lost from the start when its text is too large; nullptr when there is no room even for its name.
  OpenDocument* open(std::string uri, int64_t version, std::string text);
  OpenDocument* find(std::string_view uri);
  void close(std::string_view uri);
  // Keeps the sum of all sizes bounded after a change: true when the document had to be lost for it.
  bool lose_if_too_much(OpenDocument& document);
  std::map<std::string, OpenDocument, std::less<>>& all() { return documents_; }

  // Valid until the next call that is not for the same unchanged document: a tree takes many times the bytes
  // of its text, so only one is kept.
  const Analysis& analysis(OpenDocument& document, const Settings& settings);
  void forget_analyses();  // after the settings changed

 private:
  size_t bytes() const;
  std::map<std::string, OpenDocument, std::less<>> documents_;
  OpenDocument* analysed_ = nullptr;
};

}  // namespace openqnn::tools::lsp
