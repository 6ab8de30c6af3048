#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vector.hpp"

namespace orrery {

/// Anything that moves.
class Body {
public:
    Body(std::string name, double mass);
    virtual ~Body() = default;

    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

    const std::string& name() const noexcept { return name_; }
    double mass() const noexcept { return mass_; }

    virtual Vec3 force(const Body& other) const;
    virtual bool isFixed() const { return false; }

    void push(const Vec3& impulse);

    Vec3 position;
    Vec3 velocity;

protected:
    static constexpr double G = 6.674e-11;

private:
    std::string name_;
    double mass_;
};

/// A body that nothing moves.
class Star final : public Body {
public:
    using Body::Body;
    bool isFixed() const override { return true; }
};

class Probe : public Body {
public:
    struct Burn {
        double start;
        double seconds;
        Vec3 thrust;
    };

    explicit Probe(std::string name) : Body(std::move(name), 1000.0) {}

    void plan(Burn burn);
    Vec3 thrustAt(double time) const;

private:
    std::vector<Burn> burns_;
};

using BodyPtr = std::unique_ptr<Body>;

}  // namespace orrery
