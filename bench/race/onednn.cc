// SPDX-License-Identifier: BSD-3-Clause
// oneDNN's side: the convolutions of a model and nothing else, each as fast as the library knows, in layouts
// that it chose itself. A runtime that is faster than this sum has better convolutions.
//
// A list has one convolution a line: INPUTS OUTPUTS HEIGHT WIDTH KERNEL STRIDE PADDING, of the input's height
// and width. Activations are u8, weights s8, per-channel scales, a bias and a Relu behind.
#include "race/contestant.h"

#ifdef OPENQNN_BENCH_ONEDNN
#include <sstream>

#include "base/files.h"
#include "dnnl.hpp"
#endif

namespace openqnn::bench {

#ifdef OPENQNN_BENCH_ONEDNN
namespace {

using dnnl::memory;

struct Shape {
  int64_t inputs = 0, outputs = 0, height = 0, width = 0, kernel = 0, stride = 0, padding = 0;
};

class Convolutions : public Contestant {
 public:
  void add(const Shape& shape) {
    const auto out = [&](int64_t size) {
      return (size + 2 * shape.padding - shape.kernel) / shape.stride + 1;
    };
    using Type = memory::data_type;
    using Tag = memory::format_tag;
    const memory::desc source({1, shape.inputs, shape.height, shape.width}, Type::u8, Tag::any);
    const memory::desc weights({shape.outputs, shape.inputs, shape.kernel, shape.kernel}, Type::s8, Tag::any);
    const memory::desc bias({shape.outputs}, Type::s32, Tag::x);
    const memory::desc destination({1, shape.outputs, out(shape.height), out(shape.width)}, Type::u8,
                                   Tag::any);
    const dnnl::convolution_forward::desc wanted(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source, weights, bias,
        destination, {shape.stride, shape.stride}, {shape.padding, shape.padding},
        {shape.padding, shape.padding});
    dnnl::post_ops relu;
    relu.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
    dnnl::primitive_attr attributes;
    attributes.set_output_scales(kPerOutputChannel,
                                 std::vector<float>(static_cast<size_t>(shape.outputs), 0.01F));
    attributes.set_post_ops(relu);
    const dnnl::convolution_forward::primitive_desc chosen(wanted, attributes, engine_);
    Step step{dnnl::convolution_forward(chosen), {}};
    step.arguments = {{DNNL_ARG_SRC, memory(chosen.src_desc(), engine_)},
                      {DNNL_ARG_WEIGHTS, memory(chosen.weights_desc(), engine_)},
                      {DNNL_ARG_BIAS, memory(chosen.bias_desc(), engine_)},
                      {DNNL_ARG_DST, memory(chosen.dst_desc(), engine_)}};
    for (auto& [argument, bytes] : step.arguments) fill(bytes);
    steps_.push_back(std::move(step));
  }

  Status work() override {
    for (const Step& step : steps_) step.primitive.execute(stream_, step.arguments);
    stream_.wait();
    return {};
  }

 private:
  static constexpr int kPerOutputChannel = 1
                                           << 1;  // a mask: the dimension 1 of the output has its own scales

  struct Step {
    dnnl::primitive primitive;
    std::unordered_map<int, memory> arguments;
  };

  // Pages that were never written are all one page of zeros, which no real model reads.
  static void fill(memory& buffer) {
    auto* const bytes = static_cast<uint8_t*>(buffer.get_data_handle());
    for (size_t i = 0; i < buffer.get_desc().get_size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7 % 61);
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::vector<Step> steps_;
};

}  // namespace

// The number of threads is the OpenMP library's, by OMP_NUM_THREADS.
Result<ContestantPtr> onednn_convolutions(const std::string& list, const RaceOptions& /*options*/) {
  OPENQNN_ASSIGN(const std::string text, read_text_file(list));
  auto made = std::make_unique<Convolutions>();
  std::istringstream lines(text);
  Shape shape;
  try {
    while (lines >> shape.inputs >> shape.outputs >> shape.height >> shape.width >> shape.kernel >>
           shape.stride >> shape.padding)
      made->add(shape);
  } catch (const dnnl::error& error) {
    return invalid("race-convolutions", error.what()).at(list);
  }
  if (!lines.eof()) return invalid("race-convolutions", "a line is not seven numbers").at(list);
  return ContestantPtr(std::move(made));
}

#else

Result<ContestantPtr> onednn_convolutions(const std::string& list, const RaceOptions& /*options*/) {
  return unsupported(kNotInThisBuild, "this build has no oneDNN")
      .at(list)
      .fix_by("install libdnnl-dev and ocl-icd-opencl-dev, and configure again");
}

#endif

}  // namespace openqnn::bench
