// Values as bytes in Python's marshal format, version 2, with which `marshal` writes and reads them.
//
// Only what the calls of byte_calls.cpp use: None, bool, int, float, str, bytes, and lists, tuples
// and dicts of these. An object of the kernel is passed as the number of its address.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace patchpie {

inline constexpr int bits_of_digit = 15;  // marshal writes large integers in such digits

class MarshalWriter {
  public:
    std::string bytes;

    void none() { bytes += 'N'; }
    void boolean(bool value) { bytes += value ? 'T' : 'F'; }
    void integer(std::int64_t value) {
        auto const magnitude = static_cast<std::uint64_t>(value);
        value < 0 ? digits(0 - magnitude, -1) : digits(magnitude, 1);
    }
    void unsigned_integer(std::uint64_t value) { digits(value, 1); }
    void number(double value) { plain('g', value); }
    void text(std::string_view value) { sized('u', value); }
    void raw(void const* data, std::size_t size) {
        sized('s', {static_cast<char const*>(data), size});
    }
    void list(std::size_t size) { plain('[', static_cast<std::uint32_t>(size)); }
    void tuple(std::size_t size) { plain('(', static_cast<std::uint32_t>(size)); }

  private:
    template <class T> void plain(char kind, T value) {
        bytes += kind;
        append(value);
    }
    template <class T> void append(T value) {
        char copy[sizeof(T)];
        std::memcpy(copy, &value, sizeof(T));
        bytes.append(copy, sizeof(T));
    }
    void sized(char kind, std::string_view value) {
        plain(kind, static_cast<std::uint32_t>(value.size()));
        bytes += value;
    }
    void digits(std::uint64_t value, std::int32_t sign) {
        if (value <= 0x7FFFFFFF) return plain('i', sign * static_cast<std::int32_t>(value));
        std::int32_t count = 0;
        for (auto rest = value; rest != 0; rest >>= bits_of_digit) ++count;
        plain('l', sign * count);
        for (; value != 0; value >>= bits_of_digit) {
            append(static_cast<std::uint16_t>(value & ((1U << bits_of_digit) - 1)));
        }
    }
};

class MarshalReader {
  public:
    explicit MarshalReader(std::string_view bytes) : rest_(bytes) {}

    bool none() {
        bool const found = rest_.starts_with('N');
        if (found) rest_.remove_prefix(1);
        return found;
    }
    bool boolean() {
        char const kind = take(1)[0];
        if (kind != 'T' && kind != 'F') refuse();
        return kind == 'T';
    }
    // Throws std::invalid_argument for an integer of more than 64 bits.
    std::uint64_t magnitude(bool& negative) {
        char const kind = take(1)[0];
        auto const first = plain<std::int32_t>();
        negative = first < 0;
        auto const size = static_cast<std::uint32_t>(negative ? -std::int64_t{first} : first);
        if (kind == 'i') return size;
        if (kind != 'l') refuse();
        std::uint64_t value = 0;
        for (unsigned i = 0; i < size; ++i) {
            std::uint64_t const digit = plain<std::uint16_t>();
            unsigned const place = i * bits_of_digit;
            if (place >= 64 || digit << place >> place != digit) refuse();
            value |= digit << place;
        }
        return value;
    }
    double number() {
        if (rest_.starts_with('i')) {
            bool negative = false;
            auto const value = static_cast<double>(magnitude(negative));
            return negative ? -value : value;
        }
        expect('g');
        return plain<double>();
    }
    std::string_view text() { return sized('u'); }
    std::string_view raw() { return sized('s'); }
    std::size_t list() { return count('['); }
    std::size_t tuple() { return count('('); }
    // The next key of a dict that `expect('{')` has begun; nothing at its end.
    std::optional<std::string_view> key() {
        if (rest_.starts_with('0')) {
            rest_.remove_prefix(1);
            return {};
        }
        return text();
    }
    void expect(char kind) {
        if (take(1)[0] != kind) refuse();
    }
    [[noreturn]] static void refuse() { throw std::invalid_argument("incompatible arguments"); }

  private:
    std::string_view take(std::size_t size) {
        if (size > rest_.size()) refuse();
        std::string_view const taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }
    template <class T> T plain() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::string_view sized(char kind) { return take(count(kind)); }
    std::size_t count(char kind) {
        expect(kind);
        return plain<std::uint32_t>();
    }

    std::string_view rest_;
};

// How arguments are read, by the types of a function's parameters.
template <class T> struct Argument;

template <std::integral T> struct Argument<T> {
    static T read(MarshalReader& from) {
        bool negative = false;
        std::uint64_t const value = from.magnitude(negative);
        auto const made = static_cast<T>(negative ? 0 - value : value);
        if ((made < T{}) != (negative && value != 0)) MarshalReader::refuse();
        auto const back = static_cast<std::uint64_t>(made);
        if ((made < T{} ? 0 - back : back) != value) MarshalReader::refuse();
        return made;
    }
};
template <> struct Argument<bool> {
    static bool read(MarshalReader& from) { return from.boolean(); }
};
template <std::floating_point T> struct Argument<T> {
    static T read(MarshalReader& from) { return static_cast<T>(from.number()); }
};
template <> struct Argument<std::string_view> {
    static std::string_view read(MarshalReader& from) { return from.text(); }
};
template <> struct Argument<std::string> {
    static std::string read(MarshalReader& from) { return std::string(from.text()); }
};
template <class T> struct Argument<std::optional<T>> {
    static std::optional<T> read(MarshalReader& from) {
        if (from.none()) return {};
        return Argument<T>::read(from);
    }
};
template <class T> struct Argument<std::vector<T>> {
    static std::vector<T> read(MarshalReader& from) {
        std::vector<T> all;
        for (std::size_t left = from.list(); left > 0; --left) all.push_back(Argument<T>::read(from));
        return all;
    }
};
// An object, by its address; None for no object.
template <class T> struct Argument<T*> {
    static T* read(MarshalReader& from) {
        if (from.none()) return nullptr;
        return reinterpret_cast<T*>(Argument<std::uintptr_t>::read(from));
    }
};

// How results are written, by their types.
inline void write(MarshalWriter& to, bool value) { to.boolean(value); }
template <std::signed_integral T> void write(MarshalWriter& to, T value) { to.integer(value); }
template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
void write(MarshalWriter& to, T value) {
    to.unsigned_integer(value);
}
template <std::floating_point T> void write(MarshalWriter& to, T value) { to.number(value); }
template <class T>
    requires std::is_enum_v<T>
void write(MarshalWriter& to, T value) {
    to.integer(static_cast<std::int64_t>(value));
}
inline void write(MarshalWriter& to, std::string_view value) { to.text(value); }
inline void write(MarshalWriter& to, std::string const& value) { to.text(value); }
template <class T> void write(MarshalWriter& to, std::optional<T> const& value);
template <class T> void write(MarshalWriter& to, std::vector<T> const& all);
template <class... T> void write(MarshalWriter& to, std::tuple<T...> const& all);
template <class A, class B> void write(MarshalWriter& to, std::pair<A, B> const& both);

// The address of a new object, which the caller owns.
template <class T> void write(MarshalWriter& to, T* made) {
    to.unsigned_integer(reinterpret_cast<std::uintptr_t>(made));
}

template <class T> void write(MarshalWriter& to, std::optional<T> const& value) {
    value ? write(to, *value) : to.none();
}
template <class T> void write(MarshalWriter& to, std::vector<T> const& all) {
    to.list(all.size());
    for (T const& each : all) write(to, each);
}
template <class... T> void write(MarshalWriter& to, std::tuple<T...> const& all) {
    to.tuple(sizeof...(T));
    std::apply([&to](auto const&... each) { (write(to, each), ...); }, all);
}
template <class A, class B> void write(MarshalWriter& to, std::pair<A, B> const& both) {
    write(to, std::tuple<A const&, B const&>(both.first, both.second));
}

}  // namespace patchpie
