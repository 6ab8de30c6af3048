package io.lantern.rules

import io.lantern.devices.Lamp
import io.lantern.devices.Registry
import io.lantern.devices.Switchable
import java.time.LocalTime

typealias Action = Context.() -> Unit

data class Rule(val name: String, val condition: Condition, val action: Action, val priority: Int = 0)

/** Runs the rules whose conditions hold, those with the highest priority first. */
class RuleEngine(private val registry: Registry, private val log: (String) -> Unit = ::println) {
    private val rules = mutableListOf<Rule>()
    private var running = false

    fun add(rule: Rule) {
        rules.add(rule)
        rules.sortBy { it.priority }
    }

    fun tick(now: LocalTime = LocalTime.now()) {
        check(!running) { "a rule must not start the rules again" }
        running = true
        val context = Context(registry, now)
        for (rule in rules.filter { it.condition.holds(context) }) {
            log("rule ${rule.name}")
            rule.action(context)
        }
        running = false
    }
}

@DslMarker
annotation class RuleDsl

@RuleDsl
class RuleBuilder(private val name: String) {
    private var condition: Condition = Always
    private val actions = mutableListOf<Action>()
    var priority = 0

    fun given(condition: Condition) {
        this.condition = this.condition and condition
    }

    fun lights(room: String, percent: Int = 100) {
        actions += {
            registry.lampsIn(room).forEach {
                it.isOn = percent > 0
                it.dim(percent)
            }
        }
    }

    fun build(): Rule = Rule(name, condition, { actions.forEach { it() } }, priority)
}

fun rule(name: String, block: RuleBuilder.() -> Unit): Rule = RuleBuilder(name).apply(block).build()
