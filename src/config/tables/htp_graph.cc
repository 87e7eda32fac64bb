// SPDX-License-Identifier: BSD-3-Clause
// HTP backend file: the entries of "graphs".
#include "config/tables/shared.h"
#include "config/without_effect.h"

namespace openqnn::config {
namespace {

constexpr OptionDef kOptions[] = {
    {.name = "graph_names",
     .python = "name",
     .type = Type::kStrings,
     .one_or_many = true,
     .default_words = "not set; then the entry's options reach no graph",
     .python_required = true,
     .tools = kPreparingTools,
     .stages = kPreparing,
     .summary = "The graphs that the options of this entry are for.",
     .help =
         "Names must equal those given to QnnGraph_create; converters use the stem of the model's file name. "
         "A "
         "name that no graph has is not an error in the vendor's tools: the graph is then prepared with the "
         "defaults, which may be many times slower. Give every graph its own entry, or list those that share "
         "all options. The Python class holds one name, so a list becomes one object per name."},
    {.name = "vtcm_mb",
     .python = "vtcm_size_in_mb",
     .type = Type::kInteger,
     .min = 0,
     .unit = "MB",
     .default_json = "4",
     .python_default_json = "0",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB",
     .summary = "How much of the tightly coupled memory (VTCM) the graph may use.",
     .help =
         "0 takes all that the part has, and therefore needs the part (devices[].soc_model). More VTCM means "
         "larger tiles and less traffic to DDR; a smaller value leaves room for graphs that run at the same "
         "time. A value above the part's VTCM compiles offline and fails when the binary is loaded "
         "(error 5005, 0x138d). All graphs that share weights need the same size.",
     .readings = {{{kHtpPage, "default 4 in the table of C options; 0 in a file is the part's maximum"},
                   {kPythonReference, "default 0, the part's maximum"}}},
     .applies = "a file without the key gets 4 MB; a Python object writes the field only when it was set"},
    {.name = "vtcm_size",
     .type = Type::kInteger,
     .min = 0,
     .unit = "bytes",
     .default_words = "not set; vtcm_mb decides",
     .python_default_json = "0",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .min_arch = 81,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES",
     .summary = "The VTCM of the graph in bytes instead of megabytes.",
     .help = "For parts that share VTCM with another client and must leave it an exact amount. A multiple of "
             "64 KiB "
             "(65536), from v81 on; 0 is the part's maximum. It may stand beside vtcm_mb: neither has "
             "precedence, "
             "the later of the two requests counts.",
     .readings = {{{kHtpPage, "the key vtcm_size is in bytes"},
                   {kCApi, "…_OPTION_VTCM_SIZE is the older name of …_VTCM_SIZE_IN_MB, in MB"}}},
     .applies = "the key is in bytes everywhere and becomes …_VTCM_SIZE_IN_BYTES; the C name stays in MB"},
    {.name = "hvx_threads",
     .type = Type::kInteger,
     .min = 0,
     .default_words = "4 when prepared offline, the part's maximum online",
     .python_default_json = "0",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS",
     .summary = "How many HVX (vector) threads the graph uses.",
     .help =
         "More threads run faster, up to the number of vector units of the part; fewer leave some to other "
         "clients. Offline the number is written into the binary: set it, because the default of 4 wastes a "
         "part with 6 or 8. It can be changed by QnnGraph_setConfig only before the first execution.",
     .readings = {{{kHtpPage, "4 in a binary prepared offline, the part's maximum online"},
                   {kPythonReference, "default 0"}}},
     .applies = "0 and an absent key both mean: 4 offline, the part's maximum online"},
    {.name = "O",
     .python = "optimization_type",
     .type = Type::kNumber,
     .min = 1,
     .max = 3,
     .whole = true,
     .default_json = "2",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .lowers_to = "QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG",
     .summary = "How hard the graph is optimized: 1 prepares fastest, 3 runs fastest as a rule.",
     .help = "3 also uses what is known of the part, so give the part with it; preparing takes longest, and "
             "the binary "
             "may become larger and load more slowly. 2 is the usual choice while a model changes. Often "
             "written 3.0, which means the same.",
     .readings = {{{kHtpPage, "1 to 3, default 2"},
                   {kPythonReference, "1 to 3, default 2"},
                   {kNewerHtpPage, "2 or 3; 1 is reserved"}}},
     .applies = "1 to 3 are accepted; 1 is noted for SDKs newer than 2.39"},
    {.name = "dlbc",
     .type = Type::kNumber,
     .min = 0,
     .python_max = 1,
     .whole = true,
     .default_json = "0",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .lowers_to = "QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC",
     .summary = "Compresses activations on their way to and from DDR (deep learning bandwidth compression).",
     .help =
         "Helps graphs that are bound by DDR bandwidth; acts only offline. Here an activation's bytes shrink "
         "to the share that a model's samples showed when it was quantized, or else to an assumed one; "
         "preparing tells which, and the range of the latter. Not together "
         "with weight sharing or with shared spill-fill buffers, and for at most 32 graphs in a binary (16 "
         "when dlbc_weights is on too). 0 is off, 1 and more is on.",
     .readings = {{{kHtpPage,
                    "0 or 1 in the schema, any value from 1 on in the text; read online too by the schema, "
                    "offline only by the list of limitations"},
                   {kPythonReference, "0 or 1"}}},
     .applies = "files take whole numbers from 0, Python 0 or 1; it acts offline only"},
    {.name = "dlbc_weights",
     .type = Type::kNumber,
     .min = 0,
     .on_from_one = true,
     .default_json = "0",
     .tools = kPreparingTools,
     .stages = kOfflineOnly,
     .lowers_to = "QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC_WEIGHTS",
     .summary = "Compresses weights in DDR.",
     .help =
         "0 is off, 1 and more is on. Helps where reading weights bounds the graph; here as far as a code of "
         "our own compresses the real bytes. Offline only, not "
         "with shared "
         "spill-fill buffers, and not with weight sharing: from SDK 2.36 on the pair is refused, and "
         "older binaries made with both load with it off.",
     .readings = {{{kHtpPage, "a switch, independent of dlbc"},
                   {kPythonReference, "a number of weights, used only when dlbc is 1"},
                   {kNewerHtpPage, "with weight sharing on select newer parts"}}},
     .applies = "a switch on its own: 1 and more is on, between 0 and 1 is refused"},
    {.name = "sparse_weights_compression",
     .type = Type::kNumber,
     .min = 0,
     .on_from_one = true,
     .default_json = "0",
     .in_python = false,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .since = kAfterDocumented,
     .without_effect = without_effect::kSparseWeights,
     .lowers_to = "QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SPARSE_WEIGHTS_COMPRESSION",
     .summary = "Stores weights with many zeros in a compressed form.",
     .help = "Saves DDR and VTCM for pruned models; the generator prints how many bytes. Offline, and only "
             "for the "
             "automotive parts SA8255 and SA8620P. 0 is off, 1 and more is on."},
    {.name = "weights_packing",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING",
     .summary = "Stores 8-bit weights whose values fit into 4 bits as 4 bits.",
     .help =
         "Makes the binary smaller; it does not promise to run faster. The vendor calls it experimental."},
    {.name = "num_cores",
     .type = Type::kInteger,
     .min = 1,
     .default_json = "1",
     .python_default_json = "null",
     .python_optional = true,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES",
     .summary = "How many NPU cores one execution of the graph is spread over.",
     .help = "For parts with several cores. Excludes graph switching, weight sharing, spill-fill sharing and "
             "linting. Here the tiles of each op are divided over the cores, which share DDR. "
             "In Python it is also set by the entry cores:n of soc_details.",
     .readings = {{{kHtpPage, "default 1"}, {kPythonReference, "default None"}}},
     .applies = "None and an absent key both mean one core"},
    {.name = "short_depth_conv_on_hmx_off",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_SHORT_DEPTH_CONV_ON_HMX_OFF",
     .summary = "Keeps convolutions of small depth off the matrix unit (HMX).",
     .help = "Set it when weights are not symmetric and a convolution of small depth gives inaccurate "
             "results. Costs "
             "speed in those layers."},
    {.name = "fold_relu_activation_into_conv_off",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF",
     .summary = "Keeps Relu and ReluMinMax apart from the convolution before them.",
     .help = "Folding is right only when the encoding of the Relu's output is the range of the data after "
             "it. Where a "
             "model does not guarantee that, set this to keep the encodings that were asked for; it costs an "
             "op per convolution."},
    {.name = "advanced_activation_fusion",
     .type = Type::kBool,
     .default_json = "true",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .since = kAfterDocumented,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_ADVANCED_ACTIVATION_FUSION",
     .summary = "Fuses convolutions with a following sigmoid, tanh, gelu or swish.",
     .help =
         "Faster float graphs; switch it off when accuracy matters more. Quantized graphs do not change."},
    {.name = "use_high_precision_fp16_sigmoid",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .since = kAfterDocumented,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_HIGH_PRECISION_SIGMOID",
     .summary = "Computes sigmoid of half floats more exactly.",
     .help = "For float graphs whose results depend on the tails of a sigmoid; slower there."},
    {.name = "monolithic_lstm",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .since = kAfterDocumented,
     .without_effect = without_effect::kMonolithicLstm,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_MONOLITHIC_LSTM",
     .summary = "Keeps an Lstm as one op instead of unrolling it.",
     .help = "Worth trying for many time steps and a depth of at most 256."},
    {.name = "assume_same_quant",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .without_effect = without_effect::kAssumeSameQuant,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_ASSUME_SAME_QUANT",
     .summary = "Takes the encodings of all LoRA adapters' tensors for the same.",
     .help = "Must be on when a model is compiled with LoRA adapters."},
    {.name = "finalize_config",
     .type = Type::kAnyObject,
     .default_words = "not set",
     .python_default_json = "null",
     .python_optional = true,
     .tools = kPreparingTools,
     .stages = kPreparing,
     .without_effect = without_effect::kFinalizeConfig,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG",
     .summary = "Settings of the compiler by name, handed on as they are.",
     .help = "The documents describe one: {\"P\": n} picks another preset of the compiler on automotive "
             "parts, only "
             "together with O 3. Legal n: 0 to 6, 8, 13, 15, 16, 17, 19 to 23. Results stay bit-exact; which "
             "preset is "
             "fastest must be measured and may change with a release."},
    {.name = "slc_alloc_enable",
     .type = Type::kNumber,
     .min = 0,
     .whole = true,
     .also_bool = true,
     .default_json = "0",
     .in_python = false,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .lowers_to = "QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR",
     .summary = "Lets the graph use the system-level cache of the part.",
     .help =
         "Saves DDR bandwidth on parts that support it, so the part must be given; the documents name one, "
         "SM8750. Here what is spilled and fits goes at a higher rate. Decided offline; at "
         "run time it "
         "can only be forced off (QnnGraph_setConfig with 0) and restored."},
    {.name = "fp16_relaxed_precision",
     .type = Type::kNumber,
     .min = 0,
     .max = 1,
     .whole = true,
     .also_bool = true,
     .default_json = "0",
     .tools = kPreparingTools,
     .stages = kPreparing,
     .deprecated_since = {2, 35},
     .deprecated_for = "nothing: the part decides",
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION",
     .summary = "Asked for half-float math in float graphs; without effect from SDK 2.35 on.",
     .help = "Float graphs now run in half floats wherever the part can. Remove the key; older SDKs need it "
             "(1) for "
             "float32 graphs."},
    {.name = "share_io_buffer",
     .type = Type::kBool,
     .default_words = "not stated",
     .in_python = false,
     .tools = kPreparingTools,
     .since = kAfterDocumented,
     .unconfirmed = true,
     .without_effect = without_effect::kShareIoBuffer,
     .lowers_to = "QNN_HTP_GRAPH_CONFIG_OPTION_SHARE_IO_BUFFER",
     .summary = "Lets inputs and outputs of the graph share one buffer.",
     .help = "Seen in one public file; the C API has an option of this name, no document describes the key."},
};

}  // namespace

constinit const SectionDef kGraphSection = {
    .name = "graphs",
    .python_class = "HtpGraphConfig",
    .summary = "How graphs are prepared; each entry is for the graphs it names.",
    .options = kOptions,
};

}  // namespace openqnn::config
