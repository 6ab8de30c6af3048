#include <gtest/gtest.h>

#include "orrery/scene.hpp"

using orrery::Body;
using orrery::Leapfrog;
using orrery::Scene;
using orrery::Star;

class SceneTest : public ::testing::Test {
protected:
    Scene scene{std::make_unique<Leapfrog>()};
};

TEST_F(SceneTest, FindsByName)
{
    scene.add<Star>("sun", 2e30);
    EXPECT_NE(scene.find("sun"), nullptr);
    EXPECT_EQ(scene.find("moon"), nullptr);
}

TEST_F(SceneTest, StarsStayWhereTheyAre)
{
    scene.add<Star>("sun", 2e30);
    scene.add<Body>("earth", 6e24).position = {1.5e11, 0, 0};
    scene.run(3600, 60);
    EXPECT_EQ(scene.find("sun")->position.x, 0);
}
