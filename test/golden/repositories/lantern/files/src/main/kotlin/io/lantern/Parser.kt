package io.lantern

import io.lantern.devices.Device
import io.lantern.devices.DeviceId
import io.lantern.devices.Lamp
import io.lantern.devices.Thermometer

class ConfigException(message: String, val line: Int) : RuntimeException("$message (line $line)")

/** Devices from lines such as `lamp kitchen-1 kitchen`. */
object Parser {
    private val kinds: Map<String, (DeviceId, String) -> Device> = mapOf(
        "lamp" to { id, room -> Lamp(id, room) },
        "thermometer" to ::Thermometer,
    )

    fun parse(text: String): List<Device> =
        text.lines()
            .mapIndexedNotNull { index, line -> line.trim().takeIf { it.isNotEmpty() }?.let { device(it, index + 1) } }

    private fun device(line: String, number: Int): Device {
        val (kind, id, room) = line.split(' ')
        val make = kinds[kind] ?: throw ConfigException("unknown kind $kind", number)
        return make(DeviceId(id), room)
    }
}
