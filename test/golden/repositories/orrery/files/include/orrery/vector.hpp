#pragma once

#include <cmath>
#include <ostream>

namespace orrery {

/// Three coordinates.
template <typename T>
struct Vector {
    T x{}, y{}, z{};

    constexpr Vector operator+(const Vector& other) const { return {x + other.x, y + other.y, z + other.z}; }
    constexpr Vector operator-(const Vector& other) const { return {x - other.x, y - other.y, z - other.z}; }
    constexpr Vector operator*(T factor) const { return {x * factor, y * factor, z * factor}; }

    Vector& operator+=(const Vector& other)
    {
        *this = *this + other;
        return *this;
    }

    [[nodiscard]] T dot(const Vector& other) const { return x * other.x + y * other.y + z * other.z; }
    [[nodiscard]] T length() const { return std::sqrt(dot(*this)); }

    [[nodiscard]] Vector normalized() const
    {
        return *this * (T{1} / length());
    }
};

template <typename T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <typename T>
std::ostream& operator<<(std::ostream& out, const Vector<T>& v)
{
    return out << '(' << v.x << ", " << v.y << ", " << v.z << ')';
}

using Vec3 = Vector<double>;

}  // namespace orrery
