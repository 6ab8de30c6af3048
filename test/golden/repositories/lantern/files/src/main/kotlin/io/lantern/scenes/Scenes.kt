package io.lantern.scenes

import io.lantern.devices.*
import io.lantern.rules.Rule as HouseRule

@Target(AnnotationTarget.CLASS)
annotation class Stored(val name: String = "")

interface Playable {
    fun play(level: Int = 100): String
}

@Stored("fade")
open class Fade(val seconds: Int = 3, vararg val rooms: String) : Playable {
    override fun play(level: Int): String = "fade $level"

    open fun reversed(): Fade = Fade(seconds)
}

class Flash : Playable {
    override fun play(level: Int) = "flash $level"

    fun again(): Flash = this
}

class Chain<P : Playable>(private val parts: List<P>) : Fade(parts.size), Playable by Fade() {
    constructor(part: P) : this(listOf(part))

    override fun reversed() = Fade(1)

    operator fun plus(other: P): Chain<P> = Chain(parts + other)

    inner class Step(val part: P)
}

enum class Mood(val fade: Fade) {
    CALM(Fade(10)),
    PARTY(Fade(1)) {
        override fun start() = fade.play(2)
    };

    open fun start() = fade.play(1)
}

class Stage(private val registry: Registry, var current: Fade?) {
    private val flash by lazy { Flash() }
    private var last: Playable = Flash()
    val brightest: Fade
        get() = current ?: Fade()

    var level: Int = 0
        set(value) {
            field = value
            current?.play(value)
        }

    init {
        last.play(0)
        current = Fade(2)
    }

    fun run(any: Any, fades: List<Fade>, vararg more: Flash): String {
        val made = Flash()
        made.play(1)
        val same = made
        same.again()
        val chosen = choose(2)
        chosen.reversed()
        val first: Fade? = fades.firstOrNull()
        first?.reversed()
        val cast = any as Flash
        cast.again()
        for (fade in fades) fade.reversed()
        for (flash: Flash in more) flash.again()
        when (val subject = choose(1)) {
            is Chain<*> -> subject.reversed()
            else -> brightest.reversed()
        }
        try {
            registry[DeviceId("a")]
        } catch (missing: UnknownDevice) {
            missing.describe()
        }
        made.apply { again() }
        made.run { play() }
        with(made) { again() }
        made.also { it.again() }
        made.let { given -> given.again() }
        flash.again()
        this.current = choose(3)
        current!!.reversed()
        fades.map(Fade::reversed).forEach { it.play() }
        val listener = object : Playable {
            override fun play(level: Int) = made.play(level)
        }
        return listener.play() + Mood.PARTY.start() + (made then cast) + Scenes.standard().reversed() + "x".loud().quiet
    }

    private fun choose(number: Int): Fade = Fade(number)

    private infix fun Flash.then(other: Flash): String = again().play() + other.play()

    companion object Scenes {
        fun standard(): Fade = Fade()

        private fun HouseRule.title() = name
    }
}

fun UnknownDevice.describe(): String = message ?: standardName()

fun String?.loud(): String = this?.uppercase() ?: ""

val String.quiet: String
    get() = lowercase()

tailrec fun standardName(tries: Int = 3): String {
    fun attempt() = tries - 1
    return if (tries == 0) "device" else standardName(attempt())
}
