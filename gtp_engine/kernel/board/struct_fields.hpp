// The fields of the structs that the kernel takes and returns, for all bindings.
//
// A struct lists its fields once, in a static function `fields`, in the order of its named tuple in
// _kernel.pyi. Bindings read and write the struct, and name its parts, by this list.
#pragma once

#include <tuple>

namespace patchpie {

// A field by its name in Python.
template <class Struct, class Member> struct Field {
    char const* name;
    Member Struct::*member;
};
template <class Struct, class Member> Field(char const*, Member Struct::*) -> Field<Struct, Member>;

// A field that is a number in a range.
template <class Struct, class Member> struct Ranged {
    char const* name;
    Member Struct::*member;
    double lowest, highest;
};
template <class Struct, class Member>
Ranged(char const*, Member Struct::*, double, double) -> Ranged<Struct, Member>;

template <class Struct> concept HasFields = requires { Struct::fields(); };

// Calls `visit` with each field.
template <HasFields Struct, class Visit> void for_each_field(Visit const& visit) {
    std::apply([&visit](auto const&... field) { (visit(field), ...); }, Struct::fields());
}

}  // namespace patchpie
