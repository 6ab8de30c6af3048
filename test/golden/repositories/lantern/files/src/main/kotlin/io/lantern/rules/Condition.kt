package io.lantern.rules

import io.lantern.devices.DeviceId
import io.lantern.devices.Registry
import io.lantern.devices.Sensor
import java.time.LocalTime

fun interface Condition {
    fun holds(context: Context): Boolean

    infix fun and(other: Condition): Condition = Condition { holds(it) && other.holds(it) }

    infix fun or(other: Condition): Condition = Condition { holds(it) || other.holds(it) }

    operator fun not(): Condition = Condition { !holds(it) }
}

class Context(val registry: Registry, val now: LocalTime)

/** Between two times of the day; the end is not included. */
class Between(private val from: LocalTime, private val to: LocalTime) : Condition {
    override fun holds(context: Context): Boolean = context.now >= from && context.now < to
}

class Above(private val sensor: DeviceId, private val limit: Double) : Condition {
    override fun holds(context: Context): Boolean {
        val device = context.registry[sensor] as? Sensor<*> ?: return false
        val value = device.latest?.value as? Double ?: return false
        return value > limit
    }
}

object Always : Condition {
    override fun holds(context: Context) = true
}
