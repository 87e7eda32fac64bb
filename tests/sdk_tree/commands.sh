#!/bin/sh
# feature: D1 (tool)
# A session in the tree that QNN_SDK_ROOT names, in the words of the documents, in a folder with a model.onnx. Run by scripts/test with
# `sh -eu` and `bash -eu`: the first command that fails ends it.

# Run instead of sourced, it says so.
if "$QNN_SDK_ROOT/bin/envsetup.sh" 2>said.txt; then false; fi
grep -q "run as a program, .*; source it: . \"$QNN_SDK_ROOT/bin/envsetup.sh\"" said.txt

# Sourced twice, it must be as good as once.
. "$QNN_SDK_ROOT/bin/envsetup.sh"
. "$QNN_SDK_ROOT/bin/envsetup.sh"
test "$(command -v qnn-net-run)" = "$QNN_SDK_ROOT/bin/x86_64-linux-clang/qnn-net-run"
test "$LD_LIBRARY_PATH" = "$QNN_SDK_ROOT/lib/x86_64-linux-clang"
test "$PYTHONPATH" = "$QNN_SDK_ROOT/lib/python"
test "$QAIRT_SDK_ROOT" = "$QNN_SDK_ROOT"

qnn-onnx-converter --input_network model.onnx --export_format dlc --enable_framework_trace
qnn-context-binary-generator --backend "$QNN_SDK_ROOT/lib/x86_64-linux-clang/libQnnHtp.so" \
                             --dlc_path model.dlc \
                             --model libQnnModelDlc.so \
                             --output_dir output \
                             --binary_file context

# The same model as a library, compiled with the tree's own headers.
qnn-onnx-converter --input_network model.onnx
qnn-model-lib-generator -c model.cpp -b model.bin -o libs -t x86_64-linux-clang
qnn-context-binary-generator --backend libQnnHtp.so --model libs/x86_64-linux-clang/libmodel.so --binary_file library
# Both binaries say the same of themselves, save for the size of a part: only a DLC knows the names of the model's nodes.
for binary in context library; do
  qnn-context-binary-utility --context_binary "output/$binary.bin" --json_file "$binary.json"
  sed '/"opDataSize"/d' "$binary.json" >"$binary.said"
done
cmp context.said library.said

# [1, 6, 6, 2] float zeros.
head -c 288 /dev/zero >input.raw
echo input.raw >input_list.txt
cat >backend_extensions.json <<'END'
{
    "backend_extensions" :
    {
        "shared_library_path" : "libQnnHtpNetRunExtensions.so",  // give path to shared extensions library (.so)
        "config_file_path" : "htp_config.json"                   // give path to backend config
    }
}
END
echo '{"graphs": [{"graph_names": ["model"], "vtcm_mb": 4}], "devices": [{"cores": [{"perf_profile": "burst"}]}]}' >htp_config.json
qnn-net-run --model libs/x86_64-linux-clang/libmodel.so \
            --backend "$QNN_SDK_ROOT/lib/x86_64-linux-clang/libQnnHtp.so" \
            --output_dir from_library \
            --input_list input_list.txt \
            --config_file backend_extensions.json
qnn-net-run --retrieve_context output/context.bin --backend libQnnHtp.so --input_list input_list.txt --output_dir from_context
cmp from_library/Result_0/y.raw from_context/Result_0/y.raw

qnn-platform-validator --backend dsp --directory "$QNN_SDK_ROOT" --testBackend
openqnn --version
if test -d "$QNN_SDK_ROOT/lib/python/qairt"; then
  /usr/bin/python3 -c "import qairt"
fi

# Linting, as the seven steps have it: the extension library lies in the folder, where step 3 pushes it.
ln -s "$QNN_SDK_ROOT/lib/x86_64-linux-clang/libQnnHtpNetRunExtensions.so" .
cat >backend_extension_config.json <<'END'
{
    "backend_extensions": {
        "shared_library_path" : "./libQnnHtpNetRunExtensions.so",
        "config_file_path" : "./htp_config.json"
    }
}
END
cp htp_config.json vtcm.json
echo '{"devices": [ {"profiling_level" : "linting"} ] }' >htp_config.json
qnn-net-run --retrieve_context output/context.bin --backend libQnnHtp.so --input_list input_list.txt --config_file backend_extension_config.json \
            --output_dir output_htp --profiling_level backend
"$QNN_SDK_ROOT/bin/x86_64-linux-clang/qnn-profile-viewer" --reader "$QNN_SDK_ROOT/lib/x86_64-linux-clang/libQnnHtpProfilingReader.so" \
            --input_log ./output_htp/qnn-profiling-data_0.log | grep -q "Accelerator (critical path execute) time (cycles)"
"$QNN_SDK_ROOT/bin/x86_64-linux-clang/qnn-profile-viewer" --reader "$QNN_SDK_ROOT/lib/x86_64-linux-clang/libQnnChrometraceProfilingReader.so" \
            --input_log ./output_htp/qnn-profiling-data_0.log --output ./chromeTrace.json
test -s chromeTrace.json

# An op trace, in three commands.
echo '{"backend_extensions": {"shared_library_path": "./libQnnHtpNetRunExtensions.so", "config_file_path": "./vtcm.json"}}' >HtpConfigFile.json
qnn-context-binary-generator --profiling_level detailed --profiling_option optrace --backend "$QNN_SDK_ROOT/lib/x86_64-linux-clang/libQnnHtp.so" \
            --model libs/x86_64-linux-clang/libmodel.so --config_file HtpConfigFile.json --output_dir . --binary_file traced
qnn-net-run --profiling_level detailed --profiling_option optrace --output_data_type float_and_native --retrieve_context traced \
            --backend libQnnHtp.so --input_list ./input_list.txt --output_dir . --log_level info
echo '{"features": {"enable_input_output_flow_events": true, "htp_json": true, "memory_info": true}}' >features.json
qnn-profile-viewer --config features.json --reader "$QNN_SDK_ROOT/lib/x86_64-linux-clang/libQnnHtpOptraceProfilingReader.so" \
            --input_log ./qnn-profiling-data.log --schematic ./model_schematic.bin --output ./chrometrace.json
test -s chrometrace.json
test -s chrometrace_htp.json
