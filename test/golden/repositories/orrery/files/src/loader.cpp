#include <fstream>
#include <sstream>
#include <stdexcept>

#include "orrery/scene.hpp"

using namespace orrery;

namespace {
struct Line {
    std::string kind, name;
    double mass;
    Vec3 position;
};

std::istream& operator>>(std::istream& in, Line& line)
{
    return in >> line.kind >> line.name >> line.mass >> line.position.x >> line.position.y >> line.position.z;
}
}  // namespace

/// Adds the bodies of a text file to a scene.
int loadScene(Scene& scene, const std::string& path)
{
    std::ifstream file(path);
    std::string text;
    int count = 0;
    while (std::getline(file, text)) {
        std::istringstream in(text);
        Line line;
        in >> line;
        if (line.kind == "star")
            scene.add<Star>(line.name, line.mass).position = line.position;
        else if (line.kind == "planet")
            scene.add<Body>(line.name, line.mass).position = line.position;
        else
            throw std::runtime_error("unknown kind " + line.kind);
        ++count;
    }
    return count;
}
