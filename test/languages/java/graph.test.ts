import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges } from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

const SHOP = {
  'shop/cart/Cart.java': `package shop.cart;

import static shop.prices.Prices.half;
import shop.prices.Price;

public class Cart extends Base {
  private final Item item;
  private Price price;

  public Cart(Item item) {
    super(1);
    this.item = item;
  }

  public static Cart of(Item item) {
    Cart cart = new Cart(item);
    return cart;
  }

  Price price() {
    Price price = price();
    item().sell();
    this.item.sell(2);
    Cart.of(item).price();
    discount();
    half(price);
    price.each(Item::sell);
    return price.doubled();
  }

  Item item() {
    return new Item() {
      @Override
      void sell() {
        sell(1);
        price();
        this.sell(2);
        Cart.this.item();
      }
    };
  }

  final Rule rule = new Rule() {
    boolean check() {
      return holds() && fallback();
    }
    boolean holds() {
      return true;
    }
  };
}
`,
  'shop/cart/Item.java': `package shop.cart;

class Item {
  void sell() {}
  void sell(int count) {}
}

class Base {
  Base(int seed) {}
  void discount() {}
}

abstract class Rule {
  abstract boolean holds();
  boolean fallback() {
    return true;
  }
}
`,
  'shop/prices/Price.java': `package shop.prices;

public class Price {
  public Price doubled() {
    return this;
  }
  public void each(Object action) {}
}
`,
  'shop/prices/Prices.java': `package shop.prices;

public class Prices {
  public static Price half(Price price) {
    return price;
  }
}
`,
};

test('java: calls resolve through packages, fields, names of both a method and a variable, anonymous classes', async () => {
  const short = (await findEdges(SHOP)).map((edge) => edge.replaceAll(/shop\/\w+\//g, ''));
  assert.deepEqual(short, [
    'Cart.java::Cart > Item.java::Base inherit',
    'Cart.java::Cart.item > Cart.java::Cart.item',
    'Cart.java::Cart.item > Cart.java::Cart.price',
    'Cart.java::Cart.item > Item.java::Item construct',
    'Cart.java::Cart.item > Item.java::Item.sell#2',
    'Cart.java::Cart.of > Cart.java::Cart construct',
    'Cart.java::Cart.price > Cart.java::Cart.item',
    'Cart.java::Cart.price > Cart.java::Cart.of',
    'Cart.java::Cart.price > Cart.java::Cart.price',
    'Cart.java::Cart.price > Item.java::Base.discount',
    'Cart.java::Cart.price > Item.java::Item.sell',
    'Cart.java::Cart.price > Item.java::Item.sell#2',
    'Cart.java::Cart.price > Price.java::Price.doubled',
    'Cart.java::Cart.price > Price.java::Price.each',
    'Cart.java::Cart.price > Prices.java::Prices.half',
    'Cart.java::Cart.rule > Item.java::Rule construct',
    'Cart.java::Cart.rule > Item.java::Rule inherit',
    'Cart.java::Cart.rule.check > Cart.java::Cart.rule.holds',
    'Cart.java::Cart.rule.check > Item.java::Rule.fallback',
  ]);
});

test('java: the graph follows edits', () => assertFollowsEdits(SHOP));
