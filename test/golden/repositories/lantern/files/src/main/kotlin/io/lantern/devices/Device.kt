package io.lantern.devices

import java.time.Instant

/** Something in the house that can be switched or read. */
sealed interface Device {
    val id: DeviceId
    val room: String

    fun describe(): String = "$id in $room"
}

@JvmInline
value class DeviceId(val text: String) {
    init {
        require(text.isNotBlank()) { "a device without an id" }
    }
}

interface Switchable {
    var isOn: Boolean

    fun toggle() {
        isOn = !isOn
    }
}

data class Lamp(
    override val id: DeviceId,
    override val room: String,
    override var isOn: Boolean = false,
    var brightness: Int = 100,
) : Device, Switchable {
    fun dim(percent: Int): Lamp = apply { brightness = (brightness * percent / 100).coerceIn(1, 100) }

    override fun describe(): String = super.describe() + if (isOn) " at $brightness%" else " off"
}

open class Sensor<T : Comparable<T>>(override val id: DeviceId, override val room: String) : Device {
    protected val readings = mutableListOf<Reading<T>>()

    open fun report(value: T, at: Instant = Instant.now()) {
        readings += Reading(value, at)
    }

    val latest: Reading<T>?
        get() = readings.lastOrNull()

    fun maximum(): T? = readings.maxOfOrNull { it.value }

    data class Reading<T>(val value: T, val at: Instant)
}

class Thermometer(id: DeviceId, room: String) : Sensor<Double>(id, room) {
    override fun report(value: Double, at: Instant) {
        if (value in RANGE) super.report(value, at)
    }

    companion object {
        val RANGE = -40.0..85.0

        fun inRoom(room: String): Thermometer = Thermometer(DeviceId("thermo-$room"), room)
    }
}
