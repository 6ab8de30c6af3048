#pragma once

#include <map>
#include <optional>

#include "integrator.hpp"

namespace orrery {

class Scene {
public:
    explicit Scene(std::unique_ptr<Integrator> integrator);

    template <typename B, typename... Args>
    B& add(Args&&... args)
    {
        auto body = std::make_unique<B>(std::forward<Args>(args)...);
        B& added = *body;
        insert(std::move(body));
        return added;
    }

    Body* find(const std::string& name);
    void run(double until, double dt);
    double energy() const;
    double time() const { return time_; }
    std::optional<double> distance(const std::string& one, const std::string& other);

private:
    void insert(BodyPtr body);
    Vec3 accelerationOf(const Body& body) const;

    std::unique_ptr<Integrator> integrator_;
    std::vector<BodyPtr> bodies_;
    std::map<std::string, Body*> byName_;
    double time_ = 0;
};

}  // namespace orrery
