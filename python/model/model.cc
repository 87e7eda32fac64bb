// SPDX-License-Identifier: BSD-3-Clause
// The type itself: making, holding and destroying.
#include "model/model.h"

#include <algorithm>
#include <utility>

namespace openqnn::python {
namespace {

using json::Member;
using json::Object;
using json::Value;

struct ModelObject {
  PyObject_HEAD Model* model;
};

PyTypeObject* g_model_type = nullptr;

ModelObject* raw(PyObject* object) { return reinterpret_cast<ModelObject*>(object); }

py::object allocate(PyTypeObject* type, Model model) {
  PyObject* object = type->tp_alloc(type, 0);
  if (object == nullptr) throw py::error_already_set();
  raw(object)->model = new Model(std::move(model));
  return py::reinterpret_steal<py::object>(object);
}

// A class says by its attribute _class which table it is made from.
PyObject* model_new(PyTypeObject* type, PyObject* /*args*/, PyObject* /*kwargs*/) {
  try {
    const py::handle cls(reinterpret_cast<PyObject*>(type));
    if (!py::hasattr(cls, "_class")) throw py::type_error("Model is made through its subclasses");
    const auto* info = cls.attr("_class").cast<const ClassInfo*>();
    if (info == nullptr) throw py::type_error("_class should be the table of the class, not None");
    return allocate(type, Model(*info)).release().ptr();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  }
  return nullptr;
}

int model_init(PyObject*, PyObject*, PyObject*) { return 0; }  // subclasses fill it

int model_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (const Model* model = raw(self)->model) {
    for (const Live& live : model->live) Py_VISIT(live.value.ptr());
    Py_VISIT(model->extras.ptr());
  }
  return 0;
}

int model_clear(PyObject* self) {
  if (Model* model = raw(self)->model) {
    const std::vector<Live> live =
        std::exchange(model->live, {});  // dropped when the model is consistent again
    const py::object extras = std::exchange(model->extras, {});
  }
  return 0;
}

void model_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyTypeObject* type = Py_TYPE(self);
  delete std::exchange(raw(self)->model, nullptr);
  type->tp_free(self);
  Py_DECREF(type);
}

// Each level takes several frames of C++ and of Python's machinery, well below 4 KiB together.
constexpr int kDeepestModel = 1000;
thread_local int g_depth = 0;

}  // namespace

RecursionGuard::RecursionGuard() {
  if (g_depth >= kDeepestModel) {
    PyErr_SetString(PyExc_RecursionError, "configuration objects are nested too deeply");
    throw py::error_already_set();
  }
  if (Py_EnterRecursiveCall(" in a configuration object") != 0) throw py::error_already_set();
  ++g_depth;
}

RecursionGuard::~RecursionGuard() {
  --g_depth;
  Py_LeaveRecursiveCall();
}

PyTypeObject* make_model_type() {
  static PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>("What every configuration class is made of; not for direct use.")},
      {Py_tp_new, reinterpret_cast<void*>(&model_new)},
      {Py_tp_init, reinterpret_cast<void*>(&model_init)},
      {Py_tp_dealloc, reinterpret_cast<void*>(&model_dealloc)},
      {Py_tp_traverse, reinterpret_cast<void*>(&model_traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(&model_clear)},
      {0, nullptr},
  };
  static PyType_Spec spec = {"qairt._native.Model", sizeof(ModelObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  g_model_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (g_model_type == nullptr) throw py::error_already_set();
  return g_model_type;
}

Model* model_or_null(py::handle object) {
  return PyObject_TypeCheck(object.ptr(), g_model_type) != 0 ? raw(object.ptr())->model : nullptr;
}

Model& model_of(py::handle object) {
  Model* model = model_or_null(object);
  if (model == nullptr) throw py::type_error("not a configuration object");
  return *model;
}

py::object new_model(PyTypeObject* type, Model model) { return allocate(type, std::move(model)); }

py::object new_model(Model model) {
  auto* type = reinterpret_cast<PyTypeObject*>(model.info->type);
  if (type == nullptr) throw py::type_error("this section has no Python class");
  return allocate(type, std::move(model));
}

Member* last_member(Object& members, uint16_t tag) {
  Member* found = nullptr;
  for (Member& member : members) {
    if (member.tag == tag && (found == nullptr || found->value.is_null() || !member.value.is_null()))
      found = &member;
  }
  return found;
}

Member& member_for(Object& members, const Field& field) {
  if (Member* member = last_member(members, field.tag)) return *member;
  return members.emplace_back(Member{.key = field.option->name, .tag = field.tag});
}

const Member* Model::member(uint16_t tag) const { return last_member(*data->object(), tag); }

bool Model::is_field(const Member& member) const {
  return member.tag != 0 && !info->open && info->field(member.tag).in_python();
}

const Value* Model::name() const {
  const Member* names = member(info->names_tag);
  if (names == nullptr) return nullptr;
  if (names->value.kind() == Value::Kind::kString) return &names->value;
  const auto& list = names->value.as_array();
  const size_t index = name_index < 0 ? 0 : static_cast<size_t>(name_index);
  return index < list.size() ? &list[index] : nullptr;
}

Object& Model::writable() {
  if (name_index >= 0) {
    const Value own = *name();
    data = std::make_shared<Value>(*data);
    name_index = -1;
    last_member(*data->object(), info->names_tag)->value = Value::of(json::Array{own});
  } else if (data.use_count() > 1) {
    data = std::make_shared<Value>(*data);
  }
  return *data->object();
}

Live* Model::find_live(uint16_t tag) {
  for (Live& held : live) {
    if (held.tag == tag) return &held;
  }
  return nullptr;
}

const Live* Model::find_live(uint16_t tag) const { return const_cast<Model*>(this)->find_live(tag); }

}  // namespace openqnn::python
