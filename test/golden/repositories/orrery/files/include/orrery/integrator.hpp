#pragma once

#include <functional>
#include <span>

#include "body.hpp"

namespace orrery {

using Acceleration = std::function<Vec3(const Body&)>;

/// Moves bodies by a step of time.
class Integrator {
public:
    virtual ~Integrator() = default;
    virtual void step(std::span<const BodyPtr> bodies, const Acceleration& acceleration, double dt) = 0;
};

class Euler : public Integrator {
public:
    void step(std::span<const BodyPtr> bodies, const Acceleration& acceleration, double dt) override;
};

class Leapfrog : public Integrator {
public:
    void step(std::span<const BodyPtr> bodies, const Acceleration& acceleration, double dt) override;

private:
    void kick(std::span<const BodyPtr> bodies, const Acceleration& acceleration, double dt);
};

}  // namespace orrery
