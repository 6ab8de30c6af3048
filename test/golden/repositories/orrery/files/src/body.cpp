#include "orrery/body.hpp"

#include <stdexcept>

namespace orrery {

Body::Body(std::string name, double mass) : name_(std::move(name)), mass_(mass)
{
    if (mass <= 0)
        throw std::invalid_argument("a body without mass: " + name_);
}

/// Newton's law of gravitation.
Vec3 Body::force(const Body& other) const
{
    const Vec3 towards = other.position - position;
    const double distance = towards.length();
    return towards.normalized() * (G * mass_ * other.mass_ / (distance * distance));
}

void Body::push(const Vec3& impulse)
{
    velocity += impulse * (1 / mass_);
}

void Probe::plan(Burn burn)
{
    burns_.push_back(burn);
}

Vec3 Probe::thrustAt(double time) const
{
    Vec3 sum;
    for (const auto& [start, seconds, thrust] : burns_) {
        if (time >= start && time < start + seconds)
            sum += thrust;
    }
    return sum;
}

}  // namespace orrery
