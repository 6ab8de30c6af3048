@file:JvmName("Carts")

package com.shop.cart

import com.shop.Item
import com.shop.rates.*
import com.shop.Rule as Law

/**
 * Puts items together.
 */
@Service
abstract class Cart<T : Item>(
    private val first: T,
    limit: Int = 3,
    vararg others: T,
) : Base<T>(first), Comparable<Cart<T>>, Priced {
    private val rates = HashMap<String, Int>()
    val rule = Law("free")

    // What is free.
    val free = object : Rule("free") {
        override fun holds(item: Item): Boolean = item.price() == 0

        fun label() = "free"
    }
    val order = compareBy(object : Selector<T> {
        override fun of(item: T) = item.price()
    })

    var total: Int = 0
        get() = field + rule.price()
        private set(value) {
            field = value
        }
    var plain: Int = 0
        private set

    val lazily by lazy {
        Item(1)
    }

    init {
        register()
    }

    /** From nothing. */
    constructor(name: String) : this(Item(name)) {
        check(name)
    }

    @Test
    // why
    override suspend fun <U> run(
        item: T,
        then: (Int) -> U = { it },
    ): List<U>? {
        fun inner() = 1
        class Local {
            fun hidden() {}
        }
        val listener = object : Listener {
            override fun on() = run()
        }
        return listOf(1).map { then(it) }
    }

    abstract fun nothing()

    fun Item.twice(): Int = this.price() * 2

    companion object {
        const val MOST = 3

        fun make() = Cart("x")
    }

    inner class Inner { fun f() {} }

    operator fun plus(other: Cart<T>) = other
}

enum class Size(val factor: Int) : Sized {
    SMALL(1),

    /** The biggest. */
    LARGE(2) {
        override fun factor() = 3
    };

    abstract fun factor(): Int

    companion object Parser : Parses<Size> {
        override fun parse(text: String) = LARGE
    }
}

sealed interface Priced {
    fun price(): Int
    data object Free : Priced {
        override fun price() = 0
    }
    data class Fixed(val price: Int) : Priced
}

object Shop : Registry() {
    fun open() {
    }
}

annotation class Named(val value: String)

fun interface Check { fun test(item: Item): Boolean }

@JvmInline
value class Euro(val cents: Int)

typealias Carts = List<Cart<Item>>

// Of all.
fun <T : Item> List<Cart<T>>.total(): Int =
    sumOf { it.total }

fun Cart<Item>?.orEmpty() = this ?: Cart("")

val String.last: Char
    get() = this[length - 1]

val plain = 3

fun `a name with spaces`() {
}

fun main(args: Array<String>) {
    println(args)
}
