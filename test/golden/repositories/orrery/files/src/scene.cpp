#include "orrery/scene.hpp"

#include <algorithm>
#include <numeric>

namespace orrery {

Scene::Scene(std::unique_ptr<Integrator> integrator) : integrator_(std::move(integrator)) {}

void Scene::insert(BodyPtr body)
{
    byName_.emplace(body->name(), body.get());
    bodies_.push_back(std::move(body));
}

Body* Scene::find(const std::string& name)
{
    const auto found = byName_.find(name);
    return found == byName_.end() ? nullptr : found->second;
}

Vec3 Scene::accelerationOf(const Body& body) const
{
    Vec3 sum;
    for (const auto& other : bodies_) {
        if (other.get() != &body)
            sum += body.force(*other);
    }
    if (const auto* probe = dynamic_cast<const Probe*>(&body))
        sum += probe->thrustAt(time_);
    return sum * (1 / body.mass());
}

void Scene::run(double until, double dt)
{
    const auto acceleration = [this](const Body& body) { return accelerationOf(body); };
    while (time_ < until) {
        integrator_->step(bodies_, acceleration, dt);
        time_ += dt;
    }
}

double Scene::energy() const
{
    return std::accumulate(bodies_.begin(), bodies_.end(), 0.0, [](double sum, const BodyPtr& body) {
        return sum + body->mass() * body->velocity.dot(body->velocity) / 2;
    });
}

std::optional<double> Scene::distance(const std::string& one, const std::string& other)
{
    const Body* first = find(one);
    const Body* second = find(other);
    if (!first || !second)
        return std::nullopt;
    return (first->position - second->position).length();
}

}  // namespace orrery
