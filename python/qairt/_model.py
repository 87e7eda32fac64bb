# SPDX-License-Identifier: BSD-3-Clause
"""The configuration classes: pydantic's manners over the native models. Fields come from the option tables."""

import difflib
import json
import os
import typing

from . import _native
from ._errors import ValidationError
from .api.configs import common as enums

_classes = {}  # by name, in the order they were made


class FieldInfo:
    """What is known of a field: annotation, default, description, alias, limits."""

    __slots__ = ("name", "tag", "alias", "annotation", "default", "default_factory", "summary", "description",
                 "deprecated", "ge", "le", "model", "_required")

    def __init__(self, facts, annotation):
        self.name = facts["name"]
        self.tag = facts["tag"]
        self.alias = facts["alias"] if facts["alias"] != facts["name"] else None
        self.annotation = annotation
        self.default = _in_enum(facts["enum"], facts["default"])
        self.default_factory = list if isinstance(self.default, list) else None
        self.summary = facts["summary"]
        self.description = facts["description"]
        self.deprecated = facts["deprecated"]
        self.ge = facts["minimum"]
        self.le = facts["maximum"]
        self.model = facts["model"]  # the class of the records that it holds
        self._required = facts["required"]

    def is_required(self):
        """Whether an object cannot be made without it."""
        return self._required

    def get_default(self, *, call_default_factory=False):
        """The value of a field that was not set."""
        return self.default_factory() if self.default_factory and call_default_factory else self.default

    def __repr__(self):
        state = "required=True" if self._required else f"required=False, default={self.default!r}"
        alias = f", alias={self.alias!r}" if self.alias else ""
        return f"FieldInfo(annotation={annotation_text(self.annotation)}, {state}{alias})"


def _in_enum(name, value):
    return getattr(enums, name)(value) if name and value is not None else value


def annotation_text(annotation):
    """An annotation as source text: Optional[List[int]]."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is None:
        return annotation.__name__
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if origin is list:
        return f"List[{annotation_text(arguments[0])}]"
    texts = [annotation_text(argument) for argument in arguments if argument is not type(None)]
    text = texts[0] if len(texts) == 1 else f"Union[{', '.join(texts)}]"
    return f"Optional[{text}]" if len(texts) < len(arguments) else text


class ConfigModel(_native.Model):
    """What all configuration classes have in common."""

    __slots__ = ()
    __hash__ = None
    model_fields: typing.ClassVar[typing.Dict[str, FieldInfo]] = {}
    model_config: typing.ClassVar[typing.Dict[str, typing.Any]] = {
        "extra": "forbid", "populate_by_name": True, "validate_assignment": True}

    def __init__(self, /, **data):
        problems = _native.fill(self, data)
        if problems:
            raise ValidationError(type(self).__name__, self._with_suggestions(problems))
        self.model_post_init(None)

    def model_post_init(self, context, /):
        """Called when an object was made; for subclasses."""

    # ---- Attributes ----

    @property
    def _extras(self):
        """Keys of the record that no field stands for; written back as they are."""
        return _native.extras(self)

    @_extras.setter
    def _extras(self, extras):
        _native.set_extras(self, dict(extras))

    def _assign(self, field, value):
        problems = _native.assign(self, field.tag, value)
        if problems:
            raise ValidationError(type(self).__name__, problems)

    def _unset(self, field):
        if field.is_required():
            raise AttributeError(f"'{field.name}' of {type(self).__name__} is required")
        _native.unset(self, field.tag)

    def __getattr__(self, name):
        raise AttributeError(self._no_attribute(name))

    def __setattr__(self, name, value):
        if not hasattr(type(self), name):
            raise AttributeError(self._no_attribute(name))
        object.__setattr__(self, name, value)

    def _no_attribute(self, name):
        near = self._suggest(name)
        hint = f"; did you mean '{near}'?" if near else ""
        return f"'{type(self).__name__}' object has no attribute '{name}'{hint}"

    @classmethod
    def _suggest(cls, name):
        spellings = {}
        for field in cls.model_fields.values():
            spellings[field.name] = field.name
            spellings[field.alias or field.name] = field.name
        near = difflib.get_close_matches(name, list(spellings) + [n for n in dir(cls) if not n.startswith("_")], n=1)
        return spellings.get(near[0], near[0]) if near else None

    @classmethod
    def _with_suggestions(cls, problems):
        return [_suggested(cls, problem) if problem[2] == "extra_forbidden" and len(problem[0]) == 1 else problem
                for problem in problems]

    # ---- Out ----

    @property
    def model_fields_set(self):
        """The names of the fields that were given or read."""
        return {name for name, field in self.model_fields.items() if _native.is_set(self, field.tag)}

    @property
    def model_extra(self):
        """Fields beyond those of the class; only classes that are open to any have some."""
        return _native.extras(self) if self._class.open else None

    def model_dump(self, *, mode="python", include=None, exclude=None, context=None, by_alias=False,
                   exclude_unset=False, exclude_defaults=False, exclude_none=False, round_trip=False, warnings=True,
                   serialize_as_any=False):
        """The fields as a dict; mode="json" leaves only what JSON has."""
        dumped = _native.dump(self, mode == "json", by_alias, exclude_unset, exclude_none, exclude_defaults)
        if include is not None:
            dumped = _filtered(self, dumped, by_alias, _selection(include), True)
        return _filtered(self, dumped, by_alias, _selection(exclude), False) if exclude else dumped

    def model_dump_json(self, *, indent=None, **options):
        """model_dump(mode="json") as text."""
        separators = (",", ":") if indent is None else None
        return json.dumps(self.model_dump(mode="json", **options), indent=indent, separators=separators,
                          ensure_ascii=False)

    def __iter__(self):
        for name in self.model_fields:
            yield name, getattr(self, name)
        if self._class.open:
            yield from _native.extras(self).items()

    def __repr_args__(self):
        return list(self)

    def __repr__(self):
        with _native.Depth():
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__repr_args__())})"

    def __str__(self):
        with _native.Depth():
            return " ".join(f"{name}={value!r}" for name, value in self.__repr_args__())

    def __eq__(self, other):
        if not isinstance(other, ConfigModel):
            return NotImplemented
        return type(self) is type(other) and _native.equal(self, other)

    # ---- In ----

    @classmethod
    def model_validate(cls, obj, *, strict=None, from_attributes=None, context=None):
        """An object from a dict; an object of the class is answered as it is. Strict validation is not offered."""
        _refuse_strict(strict)
        if isinstance(obj, cls):
            return obj
        if not isinstance(obj, dict):
            message = f"Input should be a valid dictionary or instance of {cls.__name__}"
            raise ValidationError(cls.__name__, [((), message, "model_type", obj, "")])
        wrong = [key for key in obj if not isinstance(key, str)]
        if wrong:
            raise ValidationError(cls.__name__, [((str(key),), "Keys should be strings", "invalid_key", key, "")
                                                 for key in wrong])
        return cls(**obj)

    @classmethod
    def model_validate_json(cls, json_data, *, strict=None, context=None):
        """An object from JSON text. Strict validation is not offered."""
        _refuse_strict(strict)
        try:
            obj = json.loads(json_data)
        except ValueError as error:
            problem = ((), f"Invalid JSON: {error}", "json_invalid", json_data, "")
            raise ValidationError(cls.__name__, [problem]) from error
        return cls.model_validate(obj)

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        """An object from values that are not checked; what does not fit shows when it is written."""
        made = cls.__new__(cls)
        for name, value in cls._by_name(values).items():
            field = cls.model_fields.get(name)
            if field is not None and _native.assign(made, field.tag, value):
                _native.put(made, field.tag, value)
            elif field is None and cls._class.open:
                _native.extras(made)[name] = value
        made.model_post_init(None)
        return made

    @classmethod
    def _by_name(cls, values):
        """The same values by the names of their fields; ValidationError where one has two spellings."""
        names = {field.alias: field.name for field in cls.model_fields.values() if field.alias}
        made, spelling, problems = {}, {}, []
        for key, value in values.items():
            name = names.get(key, key)
            if name in made:
                problems.append(((key,), f"Value error, '{spelling[name]}' and '{key}' are the same field",
                                 "value_error", value, ""))
            else:
                made[name], spelling[name] = value, key
        if problems:
            raise ValidationError(cls.__name__, problems)
        return made

    @classmethod
    def model_json_schema(cls, by_alias=True, **_):
        """A JSON Schema of the class."""
        defs = {}
        schema = _schema(cls, by_alias, defs)
        return {"$defs": defs, **schema} if defs else schema

    # ---- Copies ----

    def model_copy(self, *, update=None, deep=False):
        """A copy that shares nothing with this object, whether or not `deep` asks for it. Updates are checked."""
        made = _native.copy(self)
        self._copy_private(made)
        for name, value in self._by_name(update or {}).items():
            setattr(made, name, value)
        return made

    def _copy_private(self, made):
        """For classes with more than fields."""

    def __copy__(self):
        return self.model_copy()

    def __deepcopy__(self, memo=None):
        return self.model_copy()

    def __reduce__(self):
        return _unpickle, (type(self), *_native.state(self))


def _unpickle(cls, *state):
    made = cls.__new__(cls)
    _native.set_state(made, *state)
    return made


class OpenModel(ConfigModel):
    """A class that takes any field, because the documents name it without describing it."""

    __slots__ = ()
    model_config = {**ConfigModel.model_config, "extra": "allow"}

    def __getattr__(self, name):
        extras = _native.extras(self)
        if name in extras:
            return extras[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        if hasattr(type(self), name) or name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            _native.extras(self)[name] = value

    def __delattr__(self, name):
        if name not in _native.extras(self):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        del _native.extras(self)[name]

    @property
    def model_fields_set(self):
        """The names of the fields that were given."""
        return set(_native.extras(self))

    @classmethod
    def list_config_options(cls):
        """Nothing: which options there are is documented by the vendor alone."""
        return Options({cls.__name__: {}})


def _refuse_strict(strict):
    if strict:
        raise NotImplementedError("strict validation is not offered: values are converted where nothing is lost")


# ---- Parts of a dump ----

_ALL = "__all__"


def _selection(keys):
    """What pydantic's include and exclude say, as a dict: {key: True, or a selection below it}."""
    if isinstance(keys, dict):
        made = {key: True if below in (True, ...) else below and _selection(below) for key, below in keys.items()}
        return {key: below for key, below in made.items() if below}
    if isinstance(keys, (set, frozenset, list, tuple)):
        return dict.fromkeys(keys, True)
    raise TypeError(f"include and exclude should be sets or dicts, not {keys!r}")


def _filtered(value, dumped, by_alias, selection, include):
    """What is left of a dumped value when only the selection is included, or when it is excluded."""
    if selection is True:
        return dumped
    if isinstance(value, ConfigModel) and isinstance(dumped, dict):
        names = {(field.alias if by_alias else None) or name: name for name, field in value.model_fields.items()}
        pairs = [(key, names.get(key, key), getattr(value, names.get(key, key))) for key in dumped]
    elif isinstance(dumped, dict):
        pairs = [(key, key, value[key]) for key in dumped]
    elif isinstance(dumped, list):
        kept = [_kept(value[index], dumped[index], by_alias, _of_place(selection, index, len(dumped)), include)
                for index in range(len(dumped))]
        return [each[0] for each in kept if each]
    else:
        return dumped
    made = {key: _kept(below, dumped[key], by_alias, selection.get(name, selection.get(_ALL)), include)
            for key, name, below in pairs}
    return {key: each[0] for key, each in made.items() if each}


def _of_place(selection, index, length):
    return selection.get(index, selection.get(index - length, selection.get(_ALL)))


def _kept(value, dumped, by_alias, below, include):
    """[what is left], or [] when nothing is."""
    if below is None:
        return [] if include else [dumped]
    if below is True:
        return [dumped] if include else []
    return [_filtered(value, dumped, by_alias, below, include)]


def _suggested(cls, problem):
    loc, message, *rest = problem
    near = cls._suggest(loc[0])
    return (loc, f"{message}; did you mean '{near}'?" if near else message, *rest)


# ---- Classes from tables ----

def from_table(annotate=lambda facts, annotation: annotation):
    """Decorates a class with the fields of the table that bears its name; `annotate` may know their types better."""
    def decorate(cls):
        info = _native.class_by_name(cls.__name__)
        cls._class = info
        cls.__doc__ = cls.__doc__ or info.summary
        cls.model_fields = {}
        for facts in info.fields():
            field = FieldInfo(facts, annotate(facts, _annotation(facts)))
            cls.model_fields[field.name] = field
            setattr(cls, field.name, _property(field))
            if facts["enum"]:
                info.bind_enum(field.tag, getattr(enums, facts["enum"]))
        _finish(cls, info)
        return cls
    return decorate


def open_class(cls):
    """Decorates a class that has no table."""
    cls._class = _native.open_class(cls.__name__, cls.__doc__ or "")
    cls.model_fields = {}
    _finish(cls, cls._class)
    return cls


def class_named(name):
    """The class that was made under this name."""
    return _classes[name]


def _finish(cls, info):
    info.bind(cls)
    _classes[cls.__name__] = cls


def _property(field):
    tag = field.tag

    def read(self):
        return _native.get(self, tag)

    def assign(self, value):
        self._assign(field, value)

    def unset(self):
        self._unset(field)

    return property(read, assign, unset, field.description)


def _annotation(facts):
    plain = {"bool": bool, "int": int, "number": typing.Union[int, float], "str": str, "strings": typing.List[str],
             "ints": typing.List[int], "dict": dict, "path": typing.Union[str, os.PathLike]}
    kind = facts["kind"]
    if kind == "literal":
        made = typing.Literal[tuple(facts["choices"])]
    elif kind == "enum":
        made = getattr(enums, facts["enum"])
    elif kind == "enum_or_str":
        made = typing.Union[getattr(enums, facts["enum"]), str]
    elif kind in ("model", "models"):
        made = _classes[facts["model"]]
        made = typing.List[made] if kind == "models" else made
    else:
        made = plain[kind]
    return typing.Optional[made] if facts["optional"] else made


# ---- JSON Schema ----

def _schema(cls, by_alias, defs):
    properties = {}
    required = []
    for field in cls.model_fields.values():
        key = field.alias if by_alias and field.alias else field.name
        properties[key] = _field_schema(field, by_alias, defs)
        if field.is_required():
            required.append(key)
    schema = {"title": cls.__name__, "description": cls.__doc__, "type": "object", "properties": properties,
              "additionalProperties": cls._class.open}
    return {**schema, "required": required} if required else schema


def _field_schema(field, by_alias, defs):
    schema = {"title": field.name.replace("_", " ").title(), "description": field.description}
    schema.update(_type_schema(field.annotation, by_alias, defs))
    if field.ge is not None:
        schema["minimum"] = field.ge
    if field.le is not None:
        schema["maximum"] = field.le
    if field.deprecated:
        schema["deprecated"] = True
    if not field.is_required():
        schema["default"] = _plain(field.default)
    return schema


def _type_schema(annotation, by_alias, defs):
    names = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", type(None): "null",
             os.PathLike: "string"}
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in names:
        return {"type": names[annotation]}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin is typing.Union:
        return {"anyOf": [_type_schema(argument, by_alias, defs) for argument in arguments]}
    if origin is list:
        return {"type": "array", "items": _type_schema(arguments[0], by_alias, defs)}
    if issubclass(annotation, ConfigModel):
        if annotation.__name__ not in defs:
            defs[annotation.__name__] = {}  # before its fields: nothing is described twice
            defs[annotation.__name__] = _schema(annotation, by_alias, defs)
        return {"$ref": f"#/$defs/{annotation.__name__}"}
    return {"enum": [member.value for member in annotation]}


def _plain(value):
    return getattr(value, "value", value)


# ---- Lists of options ----

class Options(dict):
    """Options by class and field; printing it shows a table."""

    def __str__(self):
        lines = []
        for name, fields in self.items():
            lines += [name] + [f"  {field}: {text}" for field, text in fields.items()]
        return "\n".join(lines)

    __repr__ = __str__


def options_of(*classes):
    """What the fields of these classes are: {class: {field: "type = default  description"}}."""
    return Options({cls.__name__: {field.name: _option_text(field) for field in cls.model_fields.values()}
                    for cls in classes})


def _option_text(field):
    default = "(required)" if field.is_required() else f"= {_plain(field.default)!r}"
    alias = f" (in files: {field.alias})" if field.alias else ""
    return f"{annotation_text(field.annotation)} {default}{alias}  {field.summary}"
