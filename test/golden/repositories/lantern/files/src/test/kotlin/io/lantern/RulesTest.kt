package io.lantern

import io.lantern.devices.DeviceId
import io.lantern.devices.Lamp
import io.lantern.devices.Registry
import io.lantern.rules.Between
import io.lantern.rules.RuleEngine
import io.lantern.rules.rule
import java.time.LocalTime
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertTrue

class RulesTest {
    private val registry = Registry().also { it += Lamp(DeviceId("a"), "hall") }

    @Test
    fun `lights go on between two times`() {
        val engine = RuleEngine(registry) {}
        engine.add(rule("on") {
            given(Between(LocalTime.of(8, 0), LocalTime.of(9, 0)))
            lights("hall", 50)
        })
        engine.tick(LocalTime.of(8, 30))
        assertTrue(registry.lampsIn("hall").single().isOn)
    }

    @Test
    fun `a room has its lamps`() = assertEquals(setOf("hall"), registry.rooms)
}
