import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges } from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

const SHOP = {
  'cart/Cart.kt': `package shop.cart

import shop.prices.Price
import shop.prices.Price.Companion.toPrice
import shop.prices.half
import shop.prices.rounded as even
import shop.rules.*

class Cart(private val first: Item, val rule: Rule) : Base(1), Sized {
    val made = Item(2)
    val lazily by lazy { Item() }

    fun total(): Price {
        val item = load(1)
        item?.sell()
        this.first.sell(2) { 1 }
        made.sell(count = 3)
        rule.check()
        discount()
        lazily.named
        Rules.find().sell()
        Size.of("a").grow()
        "1".toPrice().half()
        return Price(1).even()
    }

    fun load(n: Int): Item? {
        val load = load(n - 1)
        return load
    }

    override fun size() = super.size()

    inner class Line {
        fun all() = this@Cart.total()
    }

    companion object Factory : Maker() {
        fun create() = Cart(Item(1), Rule { true })
    }
}

fun open() = Cart.create().total()

fun Cart.twice() {
    total()
    this.load(2)
    made()
}

private fun made() = Cart.make()
`,
  'cart/Item.kt': `package shop.cart

class Item(val price: Int = 0) {
    val named: Item get() = named()
    fun sell() = sell(1)
    fun sell(count: Int, block: () -> Int = { 1 }) {
        block()
    }
    private fun named() = this
}

open class Base(seed: Int) {
    protected fun discount() {}
}

interface Sized {
    fun size(): Int = 0
}

enum class Size {
    SMALL;

    fun grow() {}

    companion object {
        fun of(name: String): Size = SMALL
    }
}

open class Maker {
    fun make() = open()
}
`,
  'prices/Price.kt': `package shop.prices

class Price(val amount: Int) {
    fun sum(): Price = this

    companion object {
        fun String.toPrice(): Price = Price(1)
    }
}

fun Price.half(): Price = sum()

fun Price.rounded(): Price = apply { sum() }.let { it.half() }

fun Int.half(): Int = 1

fun Price.with(other: Price): Price = with(other) { sum() }.also { price -> price.sum() }
`,
  'rules/Rule.kt': `package shop.rules

import shop.cart.Item

fun interface Rule {
    fun check(): Boolean
}

fun Rule(block: () -> Boolean): Rule = object : Rule {
    override fun check() = block() && check()
}

object Rules {
    fun find(): Item = Item(2)
}
`,
};

test('kotlin: calls resolve through packages, companions, extensions, defaults and blocks', async () => {
  assert.deepEqual(await findEdges(SHOP), [
    'cart/Cart.kt::Cart > cart/Item.kt::Base inherit',
    'cart/Cart.kt::Cart > cart/Item.kt::Item construct',
    'cart/Cart.kt::Cart > cart/Item.kt::Sized inherit',
    'cart/Cart.kt::Cart.Factory > cart/Item.kt::Maker inherit',
    'cart/Cart.kt::Cart.Factory.create > cart/Cart.kt::Cart construct',
    'cart/Cart.kt::Cart.Factory.create > cart/Item.kt::Item construct',
    'cart/Cart.kt::Cart.Factory.create > rules/Rule.kt::Rule#2',
    'cart/Cart.kt::Cart.Line.all > cart/Cart.kt::Cart.total',
    'cart/Cart.kt::Cart.load > cart/Cart.kt::Cart.load',
    'cart/Cart.kt::Cart.size > cart/Item.kt::Sized.size',
    'cart/Cart.kt::Cart.total > cart/Cart.kt::Cart.load',
    'cart/Cart.kt::Cart.total > cart/Item.kt::Base.discount',
    'cart/Cart.kt::Cart.total > cart/Item.kt::Item.sell',
    'cart/Cart.kt::Cart.total > cart/Item.kt::Item.sell#2',
    'cart/Cart.kt::Cart.total > cart/Item.kt::Size.grow',
    'cart/Cart.kt::Cart.total > cart/Item.kt::Size.of',
    'cart/Cart.kt::Cart.total > prices/Price.kt::Price construct',
    'cart/Cart.kt::Cart.total > prices/Price.kt::Price.half',
    'cart/Cart.kt::Cart.total > prices/Price.kt::Price.rounded',
    'cart/Cart.kt::Cart.total > prices/Price.kt::Price.toPrice',
    'cart/Cart.kt::Cart.total > rules/Rule.kt::Rule.check',
    'cart/Cart.kt::Cart.total > rules/Rule.kt::Rules.find',
    'cart/Cart.kt::Cart.twice > cart/Cart.kt::Cart.load',
    'cart/Cart.kt::Cart.twice > cart/Cart.kt::Cart.total',
    'cart/Cart.kt::Cart.twice > cart/Cart.kt::made',
    'cart/Cart.kt::made > cart/Item.kt::Maker.make',
    'cart/Cart.kt::open > cart/Cart.kt::Cart.Factory.create',
    'cart/Cart.kt::open > cart/Cart.kt::Cart.total',
    'cart/Item.kt::Item.sell > cart/Item.kt::Item.sell#2',
    'cart/Item.kt::Maker.make > cart/Cart.kt::open',
    'prices/Price.kt::Price.half > prices/Price.kt::Price.sum',
    'prices/Price.kt::Price.rounded > prices/Price.kt::Int.half guess',
    'prices/Price.kt::Price.rounded > prices/Price.kt::Price.half guess',
    'prices/Price.kt::Price.rounded > prices/Price.kt::Price.sum',
    'prices/Price.kt::Price.toPrice > prices/Price.kt::Price construct',
    'prices/Price.kt::Price.with > prices/Price.kt::Price.sum',
    'rules/Rule.kt::Rule#2 > rules/Rule.kt::Rule.check',
    'rules/Rule.kt::Rules.find > cart/Item.kt::Item construct',
  ]);
});

test('kotlin: uncertain calls are guessed or unresolved', async () => {
  const sources = {
    'a.kt': `package a

fun List<Int>.second() = 1

class Box {
    fun add() {}
    fun fill(make: () -> Int) {
        StringBuilder().apply { add() }
        unknown.second()
        make()
        listOf(1).forEach { it.second() }
    }
}
`,
    'b.kt': `package b

import a.Box

fun make() = 1

fun String.second() = 2

fun use(box: Box) = box.second()
`,
  };
  assert.deepEqual(await findEdges(sources), [
    'a.kt::Box.fill > a.kt::Box.add guess',
    'a.kt::Box.fill > a.kt::List.second',
    'b.kt::use > b.kt::String.second guess',
  ]);
});

test('kotlin: methods after a delegation resolve like any others, and so does the delegate', async () => {
  const sources = {
    'a.kt': `package a

class Stock : Items {
    fun first() = 1
}

fun stock() = Stock()

internal class Shelf(private val most: Int) : Items by stock() {
    fun size() = most
    fun isFull() = size() == 3
}
`,
    'b.kt': `package a

interface Items

fun use(shelf: Shelf) = shelf.isFull()
`,
  };
  assert.deepEqual(await findEdges(sources), [
    'a.kt::Shelf > a.kt::stock',
    'a.kt::Shelf > b.kt::Items inherit',
    'a.kt::Shelf.isFull > a.kt::Shelf.size',
    'a.kt::Stock > b.kt::Items inherit',
    'a.kt::stock > a.kt::Stock construct',
    'b.kt::use > a.kt::Shelf.isFull',
  ]);
});

test('kotlin: a method with another number of arguments is a guess, unless one of a base matches', async () => {
  const found = await findEdges({
    'shop/Buffer.kt': `package shop

interface Source {
    fun read(sink: Buffer, byteCount: Long): Long
}

class Buffer : Source {
    fun require(byteCount: Long) {}
    fun read(sink: Buffer, byteCount: Long, from: Long): Long = 0
    fun check(other: Buffer) {
        require(size >= 0) { "no size" }
        other.read(this, 0)
    }
}
`,
  });
  assert.deepEqual(
    found.map((edge) => edge.replaceAll('shop/Buffer.kt::', '')),
    [
      'Buffer > Source inherit',
      'Buffer.check > Buffer.require guess',
      'Buffer.check > Source.read',
    ],
  );
});

test('kotlin: the graph follows edits', () => assertFollowsEdits(SHOP));
