#!/usr/bin/env python3
"""Speaks the Language Server Protocol to the real `openqnn lsp`.

  lsp_test.py --tool PATH [unittest argument...]
"""

import pathlib
import sys
import unittest

from lsp_client import Client, apply, frame, offset, position

TOOL = None
URI = "file:///config.json"
RICH = {"textDocument": {"hover": {"contentFormat": ["markdown"]},
                         "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
HTP = """{
  "graphs": [
    {
      "graph_names": ["encoder"],
      "vtcm_mb": "8",
      "O": 3
    }
  ],
  "devices": [
    {
      "soc_model": 57,
      "dsp_arch": "v75",
      "cores": [{"core_id": 0, "perf_profile": "burst"}]
    }
  ]
}
"""


def at_mark(text):
    """A text with the mark | taken out, and the position of the mark."""
    index = text.index("|")
    return text[:index] + text[index + 1:], position(text, index)


def codes(diagnostics):
    return [d["code"] for d in diagnostics]


class Case(unittest.TestCase):
    def setUp(self):
        self.client = Client(TOOL)
        self.addCleanup(self.client.__exit__)

    def start(self, options=None, capabilities=None):
        return self.client.initialize(options, RICH if capabilities is None else capabilities)

    def complete(self, marked, **start):
        """The items at the mark in a document, by label, and the document."""
        self.start(**start)
        text, place = at_mark(marked)
        self.client.open(text)
        result = self.client.at("completion", place)
        self.assertFalse(result["isIncomplete"])
        return {item["label"]: item for item in result["items"]}, text

    def completed(self, text, item):
        return apply(text, [item["textEdit"], *item.get("additionalTextEdits", [])])

    def hover(self, marked, **start):
        self.start(**start)
        text, place = at_mark(marked)
        self.client.open(text)
        result = self.client.at("hover", place)
        return result and result["contents"]["value"]


class LifeCycle(Case):
    def test_capabilities(self):
        result = self.start()
        capabilities = result["capabilities"]
        self.assertEqual(result["serverInfo"]["name"], "openqnn")
        self.assertEqual(capabilities["positionEncoding"], "utf-16")
        self.assertEqual(capabilities["textDocumentSync"]["change"], 2)
        for provider in ("hoverProvider", "documentFormattingProvider", "documentSymbolProvider"):
            self.assertIs(capabilities[provider], True)
        self.assertIn("quickfix", capabilities["codeActionProvider"]["codeActionKinds"])

    def test_shutdown_then_exit_is_success(self):
        self.start()
        self.assertIsNone(self.client.result("shutdown"))
        self.assertEqual(self.client.exit(), 0)

    def test_exit_without_shutdown_is_failure(self):
        self.start()
        self.assertEqual(self.client.exit(), 1)

    def test_exit_before_initialize(self):
        self.assertEqual(self.client.exit(), 1)

    def test_end_of_input(self):
        self.start()
        self.assertEqual(self.client.end(), 1)

    def test_end_of_input_after_shutdown(self):
        self.start()
        self.client.result("shutdown")
        self.assertEqual(self.client.end(), 0)

    def test_end_in_the_middle_of_a_message(self):
        self.start()
        self.client.send_bytes(b'Content-Length: 1000\r\n\r\n{"jsonrpc"')
        self.assertEqual(self.client.end(), 1)

    def test_request_before_initialize(self):
        self.assertEqual(self.client.request("textDocument/hover")["error"]["code"], -32002)
        self.start()

    def test_notification_before_initialize_is_dropped(self):
        self.client.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "version": 1, "text": HTP}})
        self.start()
        answer = self.client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual(answer["error"]["code"], -32602)

    def test_initialize_twice(self):
        self.start()
        self.assertEqual(self.client.request("initialize")["error"]["code"], -32600)

    def test_request_after_shutdown(self):
        self.start()
        self.client.result("shutdown")
        self.assertEqual(self.client.request("textDocument/hover")["error"]["code"], -32600)


class Messages(Case):
    def test_unknown_method(self):
        self.start()
        self.assertEqual(self.client.request("textDocument/rename")["error"]["code"], -32601)
        self.assertEqual(self.client.request("$/unknown")["error"]["code"], -32601)

    def test_unknown_notifications_and_cancellations(self):
        self.start()
        self.client.notify("$/cancelRequest", {"id": 12345})
        self.client.notify("$/setTrace", {"value": "off"})
        self.client.notify("workspace/whatever")
        self.assertEqual(self.client.open("{}"), [])

    def test_parse_error_does_not_end_the_server(self):
        self.start()
        for broken in (b"{", b"", b"\xff\xfe", b"[" * 100_000, b'{"method": "\\ud800"}'):
            self.client.send_bytes(frame(broken))
            answer = self.client.receive()
            self.assertEqual((answer["id"], answer["error"]["code"]), (None, -32700), broken[:20])
        self.assertEqual(self.client.open("{}"), [])

    def test_invalid_requests(self):
        self.start()
        for message in ([], 5, {"id": 1}, {"id": {}, "method": "shutdown"}, {"id": 1, "method": 2}):
            self.client.send(message)
            self.assertEqual(self.client.receive()["error"]["code"], -32600, message)

    def test_responses_of_the_client_are_ignored(self):
        self.start()
        self.client.send({"jsonrpc": "2.0", "id": 7, "result": None})
        self.assertEqual(self.client.open("{}"), [])

    def test_parameters_of_wrong_types(self):
        self.start()
        self.client.open(HTP)
        for params in ({}, {"textDocument": 5}, {"textDocument": {"uri": []}},
                       {"textDocument": {"uri": URI}, "position": {"line": -1, "character": 0}},
                       {"textDocument": {"uri": URI}, "position": "here"}):
            self.assertEqual(self.client.request("textDocument/hover", params)["error"]["code"], -32602, params)
        for method in ("didOpen", "didChange", "didSave", "didClose"):
            self.client.notify(f"textDocument/{method}", {"textDocument": [1], "contentChanges": {}})
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": "x"},
                                                      "contentChanges": [5, {"text": 5}, {"range": 5, "text": "{}"}]})
        self.assertEqual(self.client.diagnostics(version=0), [])

    def test_string_ids(self):
        self.client.send({"jsonrpc": "2.0", "id": "one", "method": "initialize", "params": {"capabilities": {}}})
        self.assertEqual(self.client.receive()["id"], "one")

    def test_headers(self):
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        head = b"content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-LENGTH:  %d \r\n\r\n"
        for byte in head % len(body) + body:  # one at a time
            self.client.send_bytes(bytes([byte]))
        self.assertEqual(self.client.receive()["id"], 1)

    def test_giant_header(self):
        self.start()
        self.client.send_bytes(b"X-Long: " + b"a" * 20_000)
        self.assertEqual(self.client.receive()["error"]["code"], -32700)
        self.assertEqual(self.client.process.wait(60), 1)

    def test_broken_headers(self):
        for header in (b"Content-Length: many\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"Nothing: 5\r\n\r\n",
                       b"Content-Length: 99999999999999999999999\r\n\r\n"):
            with self.subTest(header=header), Client(TOOL) as client:
                client.initialize()
                client.send_bytes(header)
                self.assertEqual(client.receive()["error"]["code"], -32700)
                self.assertEqual(client.process.wait(60), 1)

    def test_message_over_the_limit_is_skipped(self):
        self.start()
        size = (64 << 20) + 1
        self.client.send_bytes(b"Content-Length: %d\r\n\r\n" % size)
        self.assertEqual(self.client.receive()["error"]["code"], -32600)
        for _ in range(64):
            self.client.send_bytes(b"x" * (1 << 20))
        self.client.send_bytes(b"x")
        self.assertEqual(self.client.open("{}"), [])


class Documents(Case):
    def test_diagnostics(self):
        self.start()
        found = self.client.open(HTP)
        self.assertEqual(codes(found), ["number-as-string"])
        self.assertEqual(found[0]["source"], "openqnn")
        self.assertEqual(found[0]["severity"], 2)
        begin, end = (offset(HTP, found[0]["range"][at]) for at in ("start", "end"))
        self.assertEqual(HTP[begin:end], '"8"')
        self.assertEqual(found[0]["data"], {"path": "graphs[0].vtcm_mb", "fixable": True})
        self.assertNotIn("codeDescription", found[0])

    def test_tags(self):
        self.start(options={"tool": "qnn-context-binary-generator"})
        found = self.client.open('{"devices": [{"soc_id": 57, "cores": [{"rpc_control_latency": 100}]}]}')
        tags = {d["code"]: d.get("tags") for d in found}
        self.assertEqual(tags.get("soc-id-deprecated"), [2], found)
        self.assertEqual(tags.get("ignored-by-tool"), [1], found)

    def test_full_change(self):
        self.start()
        self.client.open(HTP)
        self.assertEqual(self.client.change([{"text": HTP.replace('"8"', "8")}]), [])

    def test_incremental_change_multi_byte_and_crlf(self):
        """The range is right only when both sides agree on every edit of the text."""
        self.start()
        text = '{\r\n  "graphs": [{\r\n    "graph_names": ["größe 𝄞𝄞"], "vtcm_mb": 8\r\n  }]\r\n}\r\n'
        self.assertEqual(self.client.open(text), [])
        version = 1
        for old, new in (("8", '"4"'), ("größe", "日本語 𝄞"), ("{\r\n    ", "{"), ('"4"', '"é𝄞", "O": 3'), ("\r\n  }]", "}]")):
            begin = text.index(old)
            change = {"range": {"start": position(text, begin), "end": position(text, begin + len(old))}, "text": new}
            text = text.replace(old, new, 1)
            version += 1
            found = self.client.change([change], version=version)
        self.assertEqual(codes(found), ["wrong-type"])
        begin, end = (offset(text, found[0]["range"][at]) for at in ("start", "end"))
        self.assertEqual(text[begin:end], '"é𝄞"')

    def test_several_changes_in_one_message(self):
        self.start()
        self.client.open("{}")
        insert = lambda line, character, text: {"range": {"start": {"line": line, "character": character},
                                                          "end": {"line": line, "character": character}}, "text": text}
        changes = [insert(0, 1, "\n"), insert(0, 1, '"graphs": []'), insert(99, 99, "\n"), insert(0, 999, " ")]
        self.assertEqual(self.client.change(changes), [])
        formatted = self.client.result("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {"tabSize": 2}})
        self.assertEqual(apply('{"graphs": [] \n}\n', formatted), '{\n  "graphs": []\n}\n')

    def test_other_encodings(self):
        for offered, chosen in ((["utf-8", "utf-16"], "utf-8"), (["utf-32"], "utf-32"), (["utf-7"], "utf-16")):
            with self.subTest(offered=offered), Client(TOOL) as client:
                result = client.initialize(capabilities={"general": {"positionEncodings": offered}})
                self.assertEqual(result["capabilities"]["positionEncoding"], chosen)
                text = '{"graphs": [{"graph_names": ["é𝄞"], "vtcm_mb": "8"}]}'
                unit = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[chosen]
                column = len(text[:text.index('"8"')].encode(unit[0])) // unit[1]
                self.assertEqual(client.open(text)[0]["range"]["start"], {"line": 0, "character": column})

    def test_save_and_close(self):
        self.start()
        self.client.open(HTP)
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
        self.assertEqual(len(self.client.diagnostics()), 1)
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        self.assertEqual(self.client.diagnostics(), [])
        answer = self.client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual(answer["error"]["code"], -32602)

    def test_other_json_files_get_no_diagnostics(self):
        self.start()
        self.assertEqual(self.client.open('{"name": "left-pad", "version": "1.0.0"}'), [])
        self.assertEqual(self.client.open("", uri="file:///empty.json"), [])

    def test_broken_document(self):
        self.start()
        found = self.client.open('{"graphs": [{"vtcm_mb": 8,, "O": }')
        self.assertEqual(codes(found), ["json-syntax"])
        self.assertEqual(found[0]["severity"], 1)

    def test_too_large_document(self):
        self.start()
        self.client.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "version": 1, "text": " " * (17 << 20)}})
        self.assertIn("16 MiB", self.client.wait_for("window/showMessage")["message"])
        self.assertIsNone(self.client.at("hover", {"line": 0, "character": 0}))
        self.assertEqual(self.client.change([{"text": "{}"}], version=3), [])

    def test_many_findings(self):
        self.start()
        text = '{"graphs": [' + ",".join(['{"graph_names": ["g"], "vtcm_mb": "8"}'] * 3000) + "]}"
        found = self.client.open(text)
        self.assertEqual(len(found), 1001)
        self.assertIn("more findings", found[-1]["message"])

    def test_flood_of_changes_is_coalesced_or_answered(self):
        self.start()
        self.client.open("{}")
        data = b"".join(frame({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": URI, "version": v}, "contentChanges": [{"text": "{}" + " " * v}]}}) for v in range(2, 500))
        self.client.send_bytes(data)
        self.assertEqual(self.client.diagnostics(version=499), [])


class Circumstances(Case):
    TEXT = '{"graphs": [{"graph_names": ["g"], "vtcm_mb": 64}], "devices": [{"dsp_arch": "v75"}]}'

    def test_initialization_options(self):
        self.start(options={"soc": "SM8650", "sdk": "2.36", "platform": "x86_64-linux", "strict": True, "graphs": ["f"]})
        found = codes(self.client.open(self.TEXT))
        self.assertIn("vtcm-above-part", found)
        self.assertIn("graph-names-unmatched", found)

    def test_changed_configuration(self):
        self.start()
        self.assertNotIn("vtcm-above-part", codes(self.client.open(self.TEXT)))
        for settings in ({"openqnn": {"soc": "SM8650"}}, {"soc": 57}):
            self.client.notify("workspace/didChangeConfiguration", {"settings": settings})
            self.assertIn("vtcm-above-part", codes(self.client.diagnostics()))
        self.client.notify("workspace/didChangeConfiguration", {"settings": {}})
        self.assertNotIn("vtcm-above-part", codes(self.client.diagnostics()))
        self.client.notify("workspace/didChangeConfiguration", {"settings": None})

    def test_wrong_settings_are_shown(self):
        self.start(options={"soc": "SM99999"})
        self.assertIn("SM99999", self.client.wait_for("window/showMessage")["message"])
        self.client.notify("workspace/didChangeConfiguration", {"settings": {"tool": "qnn-nothing"}})
        self.assertIn("qnn-net-run", self.client.wait_for("window/showMessage")["message"])


class Hover(Case):
    def test_option(self):
        value = self.hover(HTP.replace('"vtcm_mb"', '"vt|cm_mb"'))
        for part in ("**vtcm_mb**", "MB", "default: 4", "The documents disagree"):
            self.assertIn(part.lower(), value.lower())

    def test_plain_text(self):
        value = self.hover(HTP.replace('"O"', '|"O"'), capabilities={})
        self.assertNotIn("**", value)
        self.assertIn("optimized", value)

    def test_choice_and_profile(self):
        value = self.hover(HTP.replace('"burst"', '"bur|st"'))
        self.assertIn("**burst**", value)
        self.assertIn("**perf_profile**", value)
        self.assertIn("core clock", value)

    def test_part(self):
        value = self.hover(HTP.replace("57", "5|7"))
        self.assertIn("SM8650", value)
        self.assertIn("Hexagon v75", value)

    def test_section(self):
        self.assertIn("graph_names", self.hover(HTP.replace('"graphs"', '"|graphs"')))

    def test_rule_behind_a_finding(self):
        self.assertIn("source", self.hover(HTP.replace('"8"', '|"8"')))

    def test_nothing_to_say(self):
        self.assertIsNone(self.hover(HTP.replace('  "graphs"', ' | "graphs"')))

    def test_old_flat_file(self):
        self.assertIn("VTCM", self.hover('{"vtcm|_mb": 4, "O": 3}'))

    def test_in_a_broken_document(self):
        self.assertIn("**vtcm_mb**", self.hover('{"graphs": [{"O": , "vtcm|_mb": [}'))

    def test_range(self):
        self.start()
        text, place = at_mark('{"graphs": [{"vt|cm_mb": 4}]}')
        self.client.open(text)
        found = self.client.at("hover", place)["range"]
        self.assertEqual(text[offset(text, found["start"]):offset(text, found["end"])], '"vtcm_mb"')


class Completion(Case):
    def test_keys_of_the_section(self):
        items, text = self.complete('{"graphs": [{"O": 3, "|"}]}')
        self.assertIn("vtcm_mb", items)
        self.assertNotIn("O", items)
        self.assertNotIn("perf_profile", items)
        self.assertEqual(self.completed(text, items["vtcm_mb"]), '{"graphs": [{"O": 3, "vtcm_mb": }]}')
        self.assertEqual(items["vtcm_mb"]["filterText"], '"vtcm_mb"')
        self.assertIn("VTCM", items["vtcm_mb"]["documentation"]["value"])
        self.assertEqual(items["fp16_relaxed_precision"].get("tags"), [1])

    def test_keys_behind_the_cursor_are_not_offered(self):
        items, _ = self.complete('{"graphs": [{"|", "O": 3, "x": {"vtcm_mb": 1}}], "devices": []}')
        self.assertNotIn("O", items)
        self.assertIn("vtcm_mb", items)

    def test_python_spelling_counts_as_there(self):
        items, _ = self.complete('{"graphs": [{"vtcm_size_in_mb": 4, |}]}')
        self.assertNotIn("vtcm_mb", items)

    def test_key_before_its_colon(self):
        items, text = self.complete('{"graphs": [{"vt|": 8}]}')
        self.assertEqual(self.completed(text, items["vtcm_mb"]), '{"graphs": [{"vtcm_mb": 8}]}')

    def test_unfinished_texts(self):
        for marked, expected in (('{"graphs": [{"vt|', '{"graphs": [{"vtcm_mb": '),
                                 ('{"graphs": [{|', '{"graphs": [{"vtcm_mb": '),
                                 ('{"graphs": [{vt|', '{"graphs": [{"vtcm_mb": '),
                                 ('{"graphs": [{"O": 3\n  |', '{"graphs": [{"O": 3,\n  "vtcm_mb": '),
                                 ('{"graphs": {"vt|', '{"graphs": {"vtcm_mb": '),
                                 ('{"graphs": [{"O": , }, {"vt|\n}]', '{"graphs": [{"O": , }, {"vtcm_mb": \n}]')):
            with self.subTest(marked=marked):
                self.client = Client(TOOL)
                self.addCleanup(self.client.__exit__)
                items, text = self.complete(marked)
                self.assertEqual(self.completed(text, items["vtcm_mb"]), expected)

    def test_values(self):
        items, text = self.complete('{"devices": [{"cores": [{"perf_profile": "|"}]}]}')
        self.assertIn("burst", items)
        self.assertEqual(self.completed(text, items["burst"]), '{"devices": [{"cores": [{"perf_profile": "burst"}]}]}')

    def test_value_without_quotes_yet(self):
        items, text = self.complete('{"devices": [{"dsp_arch": |')
        self.assertEqual(self.completed(text, items["v75"]), '{"devices": [{"dsp_arch": "v75"')

    def test_true_and_false(self):
        items, text = self.complete('{"graphs": [{"weights_packing": t|}]}')
        self.assertEqual(set(items), {"true", "false"})
        self.assertEqual(self.completed(text, items["true"]), '{"graphs": [{"weights_packing": true}]}')

    def test_parts(self):
        items, text = self.complete('{"devices": [{"soc_model": |}]}')
        self.assertIn("SM8650", items["57"]["detail"])
        self.assertIn("SM8650", items["57"]["filterText"])
        self.assertEqual(self.completed(text, items["57"]), '{"devices": [{"soc_model": 57}]}')

    def test_small_ranges_and_defaults(self):
        self.assertEqual(set(self.complete('{"graphs": [{"O": |}]}')[0]), {"1", "2", "3"})

    def test_graphs_of_the_model(self):
        items, text = self.complete('{"graphs": [{"graph_names": ["a" |', options={"graphs": ["enc", "dec"]})
        self.assertEqual(set(items), {"enc", "dec"})
        self.assertEqual(self.completed(text, items["dec"]), '{"graphs": [{"graph_names": ["a", "dec"')

    def test_top_of_a_new_file(self):
        items, text = self.complete("{|}")
        self.assertLessEqual({"graphs", "backend_extensions", "devices"}, set(items))
        self.assertEqual(self.completed(text, items["graphs"]), '{"graphs": }')

    def test_top_of_a_known_file(self):
        items, _ = self.complete('{"backend_extensions": {}, |}')
        self.assertIn("context_configs", items)
        self.assertNotIn("devices", items)

    def test_nothing_outside_or_in_comments(self):
        for marked in ("|", "{}|", '{"graphs": [{"O": 3 /* | */}]}', '{"graphs": [{ // |\n}]}', '{"unknown": {"|"}}',
                       '{"graphs": [[{"|"}]]}', "[" * 200 + "{|"):
            with self.subTest(marked=marked):
                self.client = Client(TOOL)
                self.addCleanup(self.client.__exit__)
                self.assertEqual(self.complete(marked)[0], {})

    def test_after_multi_byte_text_and_crlf(self):
        items, text = self.complete('{\r\n "graphs": [{"graph_names": ["日𝄞"], "vt|"}]}')
        self.assertIn('["日𝄞"], "vtcm_mb": }', self.completed(text, items["vtcm_mb"]))


class Actions(Case):
    def actions(self, text, range_=None, only=None, **start):
        self.start(**start)
        found = self.client.open(text)
        context = {"diagnostics": found}
        if only:
            context["only"] = only
        range_ = range_ or {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
        return self.client.result("textDocument/codeAction",
                                  {"textDocument": {"uri": URI}, "range": range_, "context": context})

    def test_quick_fix(self):
        actions = self.actions(HTP, only=["quickfix"])
        self.assertEqual([a["kind"] for a in actions], ["quickfix"])
        self.assertEqual(actions[0]["diagnostics"][0]["code"], "number-as-string")
        self.assertEqual(apply(HTP, actions[0]["edit"]["changes"][URI]), HTP.replace('"8"', "8"))

    def test_only_where_the_cursor_is(self):
        start = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
        self.assertEqual(self.actions(HTP, range_=start, only=["quickfix"]), [])

    def test_fix_all(self):
        text = '{\r\n  "graphs": [{"graph_names": "𝄞", "vtcm_mb": "8", "weights_packing": 1, "vtcm_mbb": 2}],\r\n}\r\n'
        actions = self.actions(text, only=["source.fixAll"])
        self.assertEqual([a["kind"] for a in actions], ["source.fixAll.openqnn"])
        fixed = apply(text, actions[0]["edit"]["changes"][URI])
        self.assertIn('"vtcm_mb": 8, "weights_packing": true', fixed)
        self.assertIn("𝄞", fixed)
        self.assertTrue(fixed.endswith("}\r\n"))

    def test_both_without_a_filter(self):
        self.assertEqual([a["kind"] for a in self.actions(HTP)], ["quickfix", "source.fixAll.openqnn"])

    def test_syntax(self):
        text = '{"graphs": [{"O": 3 "vtcm_mb": 8}]}'
        fixed = [apply(text, a["edit"]["changes"][URI]) for a in self.actions(text, only=["quickfix"])]
        self.assertEqual(fixed, ['{"graphs": [{"O": 3, "vtcm_mb": 8}]}'])

    def test_nothing_to_fix(self):
        self.assertEqual(self.actions('{"graphs": []}'), [])


class Formatting(Case):
    def format(self, text, tab_size=2):
        self.start()
        self.client.open(text)
        return self.client.result("textDocument/formatting",
                                  {"textDocument": {"uri": URI}, "options": {"tabSize": tab_size, "insertSpaces": True}})

    def test_layout_with_comments_and_crlf(self):
        text = '{"graphs":[ {"O":3 /* fast */, "graph_names": ["é𝄞"]}],\r\n// end\r\n}'
        formatted = apply(text, self.format(text))
        self.assertIn('\r\n      "O": 3', formatted)
        self.assertIn("// end", formatted)
        self.assertIn("é𝄞", formatted)
        self.assertEqual(formatted.count("\n"), formatted.count("\r\n"))

    def test_tab_size(self):
        self.assertEqual(apply('{"graphs":[]}', self.format('{"graphs":[]}', 4)), '{\n    "graphs": []\n}\n')

    def test_nothing_to_do(self):
        self.assertEqual(self.format('{\n  "graphs": []\n}\n'), [])

    def test_broken(self):
        self.assertIsNone(self.format('{"graphs": ['))


class Symbols(Case):
    def test_tree(self):
        self.start()
        self.client.open(HTP)
        found = self.client.result("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual([s["name"] for s in found], ["graphs", "devices"])
        self.assertIn("encoder", found[0]["children"][0]["name"])
        device = found[1]["children"][0]
        self.assertEqual([s["name"] for s in device["children"]], ["cores"])
        begin, end = (offset(HTP, found[0]["range"][at]) for at in ("start", "end"))
        self.assertTrue(HTP[begin:end].startswith('"graphs"') and HTP[begin:end].endswith("]"))

    def test_flat(self):
        self.start(capabilities={"textDocument": {}})
        self.client.open(HTP)
        found = self.client.result("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual(found[0]["location"]["uri"], URI)
        self.assertEqual(found[1]["containerName"], "graphs")

    def test_broken(self):
        self.start()
        self.client.open('{"graphs": [')
        self.assertEqual(self.client.result("textDocument/documentSymbol", {"textDocument": {"uri": URI}}), [])


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] != "--tool":
        sys.exit(__doc__)
    TOOL = pathlib.Path(sys.argv[2]).resolve()
    sys.argv[1:3] = []
    unittest.main(verbosity=1)
