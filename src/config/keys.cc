// SPDX-License-Identifier: BSD-3-Clause
#include "config/keys.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.h"

namespace openqnn::config {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

namespace {

// One slip in four characters is a typo; more is another word, and so is any slip in a very short one.
size_t tolerance(std::string_view word) { return word.size() < 3 ? 0 : std::max<size_t>(1, word.size() / 4); }

// Longer texts cannot be a slip of any name we know; comparing them would only take time.
constexpr size_t kLongestName = 64;

std::string_view nearest(std::string_view word, const auto& names) {
  if (word.size() > kLongestName) return {};
  const std::string written = lower(word);
  std::string_view best;
  size_t least = tolerance(word) + 1;
  for (const std::string_view name : names) {
    const size_t distance = edit_distance(written, lower(name));
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

// The one name that `start` is the beginning of; "" when there is none, or several.
std::string_view only_one_beginning_with(std::string_view start, const std::vector<std::string_view>& names) {
  constexpr size_t kShortest = 3;
  if (start.size() < kShortest) return {};
  const auto begins = [small = lower(start)](std::string_view name) {
    return lower(name).starts_with(small);
  };
  const auto first = std::ranges::find_if(names, begins);
  return std::ranges::count_if(names, begins) == 1 ? *first : std::string_view();
}

// Words that turn a name into its opposite, or into another unit.
bool changes_the_meaning(std::string_view word) {
  constexpr std::string_view kWords[] = {"on",  "off", "disabled", "disable", "not", "no",  "min",
                                         "max", "ms",  "us",       "ns",      "s",   "sec", "kb",
                                         "mb",  "gb",  "b",        "bytes",   "bits"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

std::set<std::string> name_words_of(std::string_view name) {
  std::set<std::string> words;
  std::string word;
  for (const char c : lower(name) + "_") {
    if (c != '_') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

// A slip of the pen: renaming the key is all it takes. "…_on" for "…_off" and "_kb" for "_mb" are no slips.
bool is_slip(std::string_view written, std::string_view meant) {
  const auto words = name_words_of(written);
  const auto known = name_words_of(meant);
  return std::ranges::none_of(
      words, [&](const std::string& word) { return changes_the_meaning(word) && !known.contains(word); });
}

std::vector<std::string_view> names_of(const SectionDef& section) {
  std::vector<std::string_view> names;
  for (const OptionDef& option : section.options) {
    names.push_back(option.name);
    if (!option.python.empty()) names.push_back(option.python);
  }
  return names;
}

std::string place_words(const KindDef& kind, std::string_view path) {
  const std::string section = path.empty() ? std::string("the top") : concat("'", path, "'");
  return concat(section, " of the ", kind.title);
}

struct Home {
  const KindDef* kind = nullptr;
  const PlacedSection* place = nullptr;
};

// Where else a key is known; the same kind of file first.
Home home_of(Kind kind, const SectionDef& not_here, std::string_view key) {
  for (const bool same : {true, false}) {
    for (const KindDef& def : kinds()) {
      if ((def.kind == kind) != same || def.kind == Kind::kCompile) continue;
      for (const PlacedSection& place : sections_of(def.kind)) {
        if (place.section != &not_here && find_option(*place.section, key) != nullptr) return {&def, &place};
      }
    }
  }
  return {};
}

// The files that are read together: the tool file names a backend's own.
bool in_one_set(Kind a, Kind b) {
  const auto in_set = [](Kind kind) {
    return kind == Kind::kHtp || kind == Kind::kLpai || kind == Kind::kTool;
  };
  const bool two_backends = a != b && a != Kind::kTool && b != Kind::kTool;
  return a == b || (in_set(a) && in_set(b) && !two_backends);
}

// The options of these files that a key may be short for: graph_priority for "priority".
std::string options_ending_with(Kind kind, std::string_view key) {
  constexpr size_t kShortest = 4;
  std::string list;
  if (key.size() < kShortest) return list;
  for (const KindDef& def : kinds()) {
    if (def.kind == Kind::kCompile || !in_one_set(def.kind, kind)) continue;
    for (const PlacedSection& place : sections_of(def.kind)) {
      for (const OptionDef& option : place.section->options) {
        if (option.is_container() || !option.name.ends_with(concat("_", key))) continue;
        append_item(list, place.path, place.path.empty() ? "" : ".", option.name, " (", def.title, ")");
      }
    }
  }
  return list;
}

// ---- Option names of other runtimes that people carry into QNN files ----

struct ForeignName {
  std::string_view key;      // as the other runtime spells it
  std::string_view runtime;  // "ONNX Runtime's QNN provider"
  std::string_view here;     // the option of QNN's files, with its section: "devices[].dsp_arch"
  bool same_value = false;   // the value means the same, so that renaming the key is enough
};

constexpr std::string_view kOnnxRuntime = "ONNX Runtime's QNN provider";
constexpr std::string_view kTflite = "the TFLite delegate";
constexpr std::string_view kSnpe = "the SNPE tools";
constexpr std::string_view kGraphPrepare = "snpe-dlc-graph-prepare";

constexpr ForeignName kNames[] = {
    {"htp_arch", kOnnxRuntime, "devices[].dsp_arch"},  // its value is the bare number: 73 for v73
    {"htp_performance_mode", kOnnxRuntime, "devices[].cores[].perf_profile", true},
    {"htp_graph_finalization_optimization_mode", kOnnxRuntime, "graphs[].O", true},
    {"enable_htp_fp16_precision", kOnnxRuntime, "graphs[].fp16_relaxed_precision"},
    {"enable_htp_weight_sharing", kOnnxRuntime, "context.weight_sharing_enabled"},
    {"enable_htp_spill_fill_buffer", kOnnxRuntime, "context.max_spill_fill_buffer_for_group"},
    {"qnn_context_priority", kOnnxRuntime, "context_configs.context_priority (in the tool file)"},
    {"enable_htp_shared_memory_allocator", kOnnxRuntime, "memory.mem_type"},
    {"backend_path", kOnnxRuntime, "the tool's --backend"},
    {"htp_use_conv_hmx", kTflite, "graphs[].short_depth_conv_on_hmx_off"},  // the other way round
    {"htp_use_fold_relu", kTflite, "graphs[].fold_relu_activation_into_conv_off"},
    {"htp_optimization_strategy", kTflite, "graphs[].O"},
    {"htp_precision", kTflite, "graphs[].fp16_relaxed_precision"},
    {"performance_profile", kSnpe, "devices[].cores[].perf_profile", true},
    {"optimization_level", kGraphPrepare, "graphs[].O", true},
    {"num_hvx_threads", kGraphPrepare, "graphs[].hvx_threads", true},
    {"htp_dlbc", kGraphPrepare, "graphs[].dlbc"},
    {"vtcm_override", kGraphPrepare, "graphs[].vtcm_mb", true},
    {"htp_socs", kGraphPrepare, "devices[].soc_model"},
    {"htp_archs", kGraphPrepare, "devices[].dsp_arch"},
};

const ForeignName* find_foreign_name(std::string_view key) {
  const auto* found = std::ranges::find(kNames, key, &ForeignName::key);
  return found != std::end(kNames) ? found : nullptr;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == ' ';
  });
}

}  // namespace

bool is_comment_key(std::string_view key) {
  return key.starts_with('_') || key.starts_with("//") || key == "$schema" || key == "comment";
}

bool looks_like_placeholder(std::string_view text) {
  if (text.size() < 2) return false;
  const char first = text.front();
  const char last = text.back();
  const std::string_view inner = text.substr(1, text.size() - 2);
  if (first == '<' && last == '>') return is_word(inner);
  if (first == '%' && last == '%') return is_word(inner);
  if (first == '{' && last == '}') return is_word(inner) || (inner.size() > 2 && inner.front() == '{');
  if (first == '$' && text[1] == '{') return last == '}';
  return first == '$' && is_word(text.substr(1));
}

bool is_pasted_type(const json::Value& value) {
  const json::Value* type = value.find("type");
  return type != nullptr && type->kind() == json::Value::Kind::kString;
}

std::string_view nearest_section(std::string_view key) {
  std::vector<std::string_view> names;
  for (const KindDef& def : kinds()) {
    if (def.kind == Kind::kCompile) continue;
    for (const std::string_view name : names_of(*def.root)) names.push_back(name);
  }
  return nearest(key, names);
}

std::string_view nearest_choice(const OptionDef& option, std::string_view text) {
  std::vector<std::string_view> values;
  for (const Choice& choice : option.choices) values.push_back(choice.value);
  const std::string_view near = nearest(text, values);
  return near.empty() ? only_one_beginning_with(text, values) : near;
}

KeyAdvice advise_on_key(const Config& config, const SectionDef& section, std::string_view key) {
  const bool at_top = &section == kind_def(config.kind).root;
  if (const ForeignName* foreign = find_foreign_name(key)) {
    KeyAdvice advice{"foreign-key",
                     concat("'", key, "' is a name of ", foreign->runtime, "; QNN's tools ignore it"),
                     concat("here it is ", foreign->here)};
    const std::string_view here = foreign->here.substr(foreign->here.rfind('.') + 1);
    if (foreign->same_value && find_option(section, here) != nullptr) advice.rename_to = here;
    return advice;
  }
  if (const std::string_view meant = nearest(key, names_of(section)); !meant.empty()) {
    return {at_top ? "unknown-section" : "unknown-key",
            concat("'", key, "' is not known here and has no effect"), concat("did you mean '", meant, "'?"),
            is_slip(key, meant) ? std::string(meant) : std::string()};
  }
  const Home home = home_of(config.kind, section, key);
  const bool is_near = home.kind != nullptr && in_one_set(home.kind->kind, config.kind);
  const std::string longer = is_near ? std::string() : options_ending_with(config.kind, key);
  if (!longer.empty())
    return {"unknown-key", concat("'", key, "' is not known here and has no effect"),
            concat("there is ", longer)};
  if (home.kind != nullptr) {
    return {"misplaced-key", concat("'", key, "' is not read here and has no effect"),
            concat("it belongs to ", place_words(*home.kind, home.place->path))};
  }
  if (at_top) {
    return {"unknown-section", concat("there is no section '", key, "': it has no effect"),
            concat("the ", kind_def(config.kind).title, " has: ", [&] {
              std::string list;
              for (const OptionDef& option : section.options) append_item(list, option.name);
              return list;
            }())};
  }
  return {"unknown-key", concat("'", key, "' is not known here and has no effect"),
          concat("`openqnn explain ", section.name, "` lists what '", section.name, "' takes")};
}

}  // namespace openqnn::config
