// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>
#include <utility>

namespace openqnn {

template <class Signature>
class FunctionRef;

// Something that can be called, which lives at least as long as the call it is handed to: a std::function
// that owns nothing and allocates nothing.
template <class Answer, class... Args>
class FunctionRef<Answer(Args...)> {
 public:
  template <class Body>
  requires(std::is_invocable_r_v<Answer, const Body&, Args...> && !std::is_same_v<Body, FunctionRef>)
      FunctionRef(const Body& body)  // NOLINT(google-explicit-constructor): taken where a function is
      : body_(&body), call_([](const void* object, Args... args) -> Answer {
          return (*static_cast<const Body*>(object))(std::forward<Args>(args)...);
        }) {}

  Answer operator()(Args... args) const { return call_(body_, std::forward<Args>(args)...); }

 private:
  const void* body_;
  Answer (*call_)(const void*, Args...);
};

}  // namespace openqnn
