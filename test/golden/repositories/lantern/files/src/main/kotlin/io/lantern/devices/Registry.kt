package io.lantern.devices

class UnknownDevice(id: DeviceId) : NoSuchElementException("no device ${id.text}")

/** All devices by id, and groups of them by room. */
class Registry(private val listener: (Device) -> Unit = {}) {
    private val devices = linkedMapOf<DeviceId, Device>()

    val rooms: Set<String>
        get() = devices.values.mapTo(sortedSetOf()) { it.room }

    operator fun get(id: DeviceId): Device = devices[id] ?: throw UnknownDevice(id)

    operator fun plusAssign(device: Device) {
        devices[device.id] = device
        listener(device)
    }

    fun remove(id: DeviceId) {
        devices.remove(id)
    }

    inline fun <reified D : Device> all(): List<D> = everything().filterIsInstance<D>()

    fun everything(): List<Device> = devices.values.toList()

    fun lampsIn(room: String): List<Lamp> = all<Lamp>().filter { it.room == room }
}

/** Switches off whatever can be. */
fun Registry.allOff(): Int {
    fun off(device: Switchable): Boolean {
        val was = device.isOn
        device.isOn = false
        return was
    }
    return everything().filterIsInstance<Switchable>().count(::off)
}
