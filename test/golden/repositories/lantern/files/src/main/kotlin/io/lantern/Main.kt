package io.lantern

import io.lantern.devices.Registry
import io.lantern.devices.allOff
import io.lantern.rules.Between
import io.lantern.rules.RuleEngine
import io.lantern.rules.rule
import java.io.File
import java.time.LocalTime

val EVENING: LocalTime = LocalTime.of(18, 0)
val NIGHT: LocalTime = LocalTime.of(1, 0)

fun main(args: Array<String>) {
    val registry = Registry()
    Parser.parse(File(args[0]).readText()).forEach { registry += it }
    val engine = RuleEngine(registry)
    engine.add(rule("evening") {
        given(Between(EVENING, NIGHT))
        lights("living", 60)
    })
    Runtime.getRuntime().addShutdownHook(Thread { registry.allOff() })
    while (true) {
        engine.tick()
        Thread.sleep(1000)
    }
}
