#include "orrery/integrator.hpp"

namespace orrery {

namespace {

void drift(Body& body, double dt)
{
    if (!body.isFixed())
        body.position += body.velocity * dt;
}

}  // namespace

void Euler::step(std::span<const BodyPtr> bodies, const Acceleration& acceleration, double dt)
{
    for (const auto& body : bodies) {
        drift(*body, dt);
        body->velocity += acceleration(*body) * dt;
    }
}

void Leapfrog::step(std::span<const BodyPtr> bodies, const Acceleration& acceleration, double dt)
{
    kick(bodies, acceleration, dt / 2);
    for (const auto& body : bodies)
        drift(*body, dt);
    kick(bodies, acceleration, dt / 2);
}

void Leapfrog::kick(std::span<const BodyPtr> bodies, const Acceleration& acceleration, double dt)
{
    for (const auto& body : bodies)
        body->push(acceleration(*body) * (body->mass() * dt));
}

}  // namespace orrery
