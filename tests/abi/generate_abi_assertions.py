#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turns data/abi/qnn_abi.json into C++ files of static assertions.

Usage: generate_abi_assertions.py ABI_JSON OUTPUT_DIR

Writes one file per group of headers. A group is what one translation unit can
include: the device headers of two backends complete the same struct tags.
"""

import json
import pathlib
import sys

BACKENDS = {"htp": "HTP", "lpai": "LPAI"}  # group, folder and prefix of the names
GROUPS = {"core": lambda header: not header.startswith(("HTP/", "LPAI/"))} | {
    group: lambda header, folder=folder: header.startswith(f"{folder}/") for group, folder in BACKENDS.items()}
FUNCTION_LIKE_MACRO_CHECKS = {
    "QNN_GET_ERROR_CODE": "QNN_GET_ERROR_CODE(0x123456789ABCDEF0u) == 0xDEF0u",
    "QNN_PASTE_THREE": "QNN_PASTE_THREE(1, 2, 3) == 123",
    "QNN_INTERFACE_VER_TYPE_EVAL":
        "std::is_same_v<QNN_INTERFACE_VER_TYPE_EVAL(2, 37), "
        "QnnInterface_ImplementationV2_37_t>",
    "QNN_INTERFACE_VER_NAME_EVAL":
        "offsetof(QnnInterface_t, QNN_INTERFACE_VER_NAME_EVAL(2, 37)) == "
        "offsetof(QnnInterface_t, v2_37)",
    "QNN_SYSTEM_INTERFACE_VER_TYPE_EVAL":
        "std::is_same_v<QNN_SYSTEM_INTERFACE_VER_TYPE_EVAL(1, 12), "
        "QnnSystemInterface_ImplementationV1_12_t>",
    "QNN_SYSTEM_INTERFACE_VER_NAME_EVAL":
        "offsetof(QnnSystemInterface_t, QNN_SYSTEM_INTERFACE_VER_NAME_EVAL(1, 12)) == "
        "offsetof(QnnSystemInterface_t, v1_12)",
}


class Writer:
    """Collects the assertions of one group and counts them."""

    def __init__(self):
        self.lines = []
        self.count = 0

    def check(self, condition):
        self.lines.append(f"static_assert({condition});")
        self.count += 1

    def line(self, text):
        self.lines.append(text)

    def same(self, actual, expected):
        self.check(f"std::is_same_v<{actual}, {expected}>")


def integer(value):
    return f"{value}LL"


def pointer_to(signature):
    parameters = ", ".join(kind for kind, _ in signature["params"])
    return f"{signature['ret']} (*)({parameters})"


def leaves(fields):
    """All named fields, those of anonymous unions included."""
    for field in fields:
        if isinstance(field, dict):
            yield from leaves(field["union"])
        else:
            yield field


class Abi:
    def __init__(self, abi):
        self.abi = abi
        self.structs = {}
        self.initialisers = {}
        for content in abi["headers"].values():
            self.structs.update(content.get("structs", {}))
            self.initialisers.update(content.get("initialisers", {}))
        for table in abi["interface_tables"].values():
            self.add_slots(table["type"], table["rows"])
            self.add_slots(table["older"]["type"], table["rows"][:table["older"]["slots"]])
        self.home = {}
        for header, content in abi["headers"].items():
            for name in content.get("structs", {}):
                self.home[name] = header

    def add_slots(self, name, rows):
        self.structs[name]["fields"] = [
            [field, kind, offset, 8] for _, offset, field, kind, _ in rows]

    def enums(self, out, enums):
        for name, enumerators in enums.items():
            out.check(f"sizeof({name}) == 4")
            for enumerator, value in enumerators.items():
                out.check(f"static_cast<long long>({enumerator}) == {integer(value)}")
                out.same(f"decltype({enumerator})", name)

    def structs_of(self, out, structs):
        for name in structs:
            layout = self.structs[name]
            out.check(f"sizeof({name}) == {layout['size']}")
            out.check(f"alignof({name}) == {layout['align']}")
            if "tag" in layout:
                out.same(f"struct {layout['tag']}", name)
            for field, kind, offset, size in leaves(layout["fields"]):
                out.check(f"offsetof({name}, {field}) == {offset}")
                out.check(f"sizeof({name}::{field}) == {size}")
                out.same(f"decltype({name}::{field})", kind)

    def macros(self, out, macros):
        for name, value in macros.items():
            self.defined(out, name)
            if isinstance(value, dict):
                out.check(f'std::string_view(OPENQNN_TEXT({name})) == "{value["expands_to"]}"')
            elif isinstance(value, str):
                out.check(f"std::string_view({name}) == {json.dumps(value)}")
            else:
                out.check(f"({name}) == {integer(value)}")

    def defined(self, out, name):
        out.line(f"#ifndef {name}\n#error {name} is not a macro\n#endif")
        out.count += 1

    def initial_values(self, kind, values, path):
        """Pairs of a field and the value that an initialiser gives it."""
        fields = self.structs[kind]["fields"]
        for field, value in zip(fields, values):
            if isinstance(field, dict):
                field, value = field["union"][0], value[0]
            name, field_kind = field[0], field[1]
            if field_kind in self.structs:
                nested = self.initialisers[value]["values"] if isinstance(value, str) else value
                yield from self.initial_values(field_kind, nested, f"{path}.{name}")
            elif isinstance(value, list):
                for index, element in enumerate(value):
                    yield f"{path}.{name}[{index}]", str(element)
            elif isinstance(value, str) and value.startswith('"'):
                yield f"std::string_view({path}.{name})", value
            elif value == "NULL" or field_kind.endswith("*"):
                yield f"{path}.{name}", "nullptr"
            elif isinstance(value, float):
                yield f"{path}.{name}", f"{value}f"
            else:
                yield f"{path}.{name}", str(value)

    def initialisers_of(self, out, initialisers):
        for name, initialiser in initialisers.items():
            variable = f"value_of_{name}"
            out.line(f"constexpr {initialiser['of']} {variable} = {name};")
            kind, values = initialiser["of"], initialiser["values"]
            for path, value in self.initial_values(kind, values, variable):
                out.check(f"{path} == {value}")

    def tables(self, out):
        for table in self.abi["interface_tables"].values():
            rows = table["rows"]
            out.check(f"sizeof({table['type']}) == {8 * len(rows)}")
            out.check(f"sizeof({table['older']['type']}) == {8 * table['older']['slots']}")
            for index, offset, field, kind, function in rows:
                out.check(f"offsetof({table['type']}, {field}) == {index} * sizeof(void*)")
                out.check(f"offsetof({table['type']}, {field}) == {offset}")
                if index < table["older"]["slots"]:
                    out.check(f"offsetof({table['older']['type']}, {field}) == {offset}")
                if function:
                    out.same(f"decltype(&{function})", kind)

    def kind_of(self, struct, field):
        return next(kind for name, kind, *_ in leaves(self.structs[struct]["fields"]) if name == field)

    def payloads(self, out, belongs):
        for name, options in self.abi["option_payloads"].items():
            if not belongs(self.home[name]):
                continue
            for option, member in options.items():
                if self.kind_of(name, "option") != "uint32_t":  # LPAI structs hold the number alone
                    out.same(f"decltype({option})", f"decltype({name}::option)")
                if member:
                    out.check(f"sizeof({name}::{member}) > 0")

    def ops(self, out):
        for op, content in self.abi["ops"].items():
            self.macros(out, {content["macro"]: op})
            for parameter, details in content["params"].items():
                self.macros(out, {details["macro"]: parameter})
                self.macros(out, details.get("values", {}))

    @staticmethod
    def group_of_macro(macro):
        owners = (group for group, prefix in BACKENDS.items() if macro.startswith(f"QNN_{prefix}_"))
        return next(owners, "core")

    def group(self, name, belongs):
        out = Writer()
        headers = {header: content for header, content in self.abi["headers"].items()
                   if belongs(header)}
        out.line("// Generated by generate_abi_assertions.py from data/abi/qnn_abi.json.")
        out.line("#include <cstddef>\n#include <string_view>\n#include <type_traits>\n")
        for header in headers:
            out.line(f'#include "{header}"')
        out.line("\n#define OPENQNN_TEXT_OF(text) #text")
        out.line("#define OPENQNN_TEXT(macro) OPENQNN_TEXT_OF(macro)")
        for header, content in headers.items():
            out.line(f"\n// {header}")
            self.enums(out, content.get("enums", {}))
            for typedef, kind in content.get("typedefs", {}).items():
                out.same(typedef, kind)
            for section in ("function_pointer_types", "functions"):
                for function, signature in content.get(section, {}).items():
                    is_type = section == "function_pointer_types"
                    actual = function if is_type else f"decltype(&{function})"
                    out.same(actual, pointer_to(signature))
            self.structs_of(out, content.get("structs", {}))
            self.macros(out, content.get("macros", {}))
            for macro in content.get("function_like_macros", {}):
                self.defined(out, macro)
                if macro in FUNCTION_LIKE_MACRO_CHECKS:
                    out.check(FUNCTION_LIKE_MACRO_CHECKS[macro])
            self.initialisers_of(out, content.get("initialisers", {}))
        for macro in self.abi["meta"]["exempt_macros"]:
            if self.group_of_macro(macro) == name:
                self.defined(out, macro)
        out.line("\n// Options and their values")
        self.payloads(out, belongs)
        if name == "core":
            out.line("\n// Function tables")
            self.tables(out)
            out.line("\n// Operations")
            self.ops(out)
        out.line("\nnamespace openqnn::abi {")
        out.line(f"extern const int k_{name}_assertions;")
        out.line(f"const int k_{name}_assertions = {out.count};")
        out.line("}  // namespace openqnn::abi")
        return "\n".join(out.lines) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    abi = Abi(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
    output = pathlib.Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    for name, belongs in GROUPS.items():
        path = output / f"abi_{name}_assertions.cc"
        path.write_text(abi.group(name, belongs), encoding="utf-8")


if __name__ == "__main__":
    main()
