package io.lantern

import io.lantern.devices.Thermometer
import kotlin.test.Test
import kotlin.test.assertNull

class DeviceTest {
    @Test
    fun ignoresImpossibleTemperatures() {
        val thermometer = Thermometer.inRoom("attic")
        thermometer.report(451.0)
        assertNull(thermometer.latest)
    }
}
