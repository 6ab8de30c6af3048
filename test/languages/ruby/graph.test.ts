import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edges } from '../../graph/support.ts';

test('ruby: constants of all files, own methods, mixins and what attributes hold are followed', async () => {
  const found = await edges({
    'lib/shop/store.rb': 'module Shop\n  class Store\n    def persist(x); end\n  end\nend\n',
    'lib/shop/logs.rb': 'module Shop\n  module Logs\n    def note(x); end\n  end\nend\n',
    'lib/shop/cart.rb':
      'module Shop\n  class Cart < Base\n    include Logs\n    def initialize\n      @store = Store.new\n    end\n    def self.build(x)\n      new(x)\n    end\n    def run(x)\n      @store.persist(x)\n      note x\n      refresh\n      self.refresh\n      local = Shop::Store.new\n      local.persist(1)\n      x.only_here\n    end\n    def refresh; end\n  end\nend\n',
    'lib/shop/base.rb': 'module Shop\n  class Base\n    def only_here; end\n  end\nend\n',
    'lib/main.rb': 'def main\n  Shop::Cart.build(1)\nend\n',
  });
  assert.deepEqual(found, [
    'lib/shop/cart.rb::Shop.Cart > lib/shop/base.rb::Shop.Base inherit',
    'lib/shop/cart.rb::Shop.Cart > lib/shop/logs.rb::Shop.Logs inherit',
    'lib/shop/cart.rb::Shop.Cart.initialize > lib/shop/store.rb::Shop.Store construct',
    'lib/shop/cart.rb::Shop.Cart.run > lib/shop/base.rb::Shop.Base.only_here guess',
    'lib/shop/cart.rb::Shop.Cart.run > lib/shop/cart.rb::Shop.Cart.refresh',
    'lib/shop/cart.rb::Shop.Cart.run > lib/shop/logs.rb::Shop.Logs.note',
    'lib/shop/cart.rb::Shop.Cart.run > lib/shop/store.rb::Shop.Store construct',
    'lib/shop/cart.rb::Shop.Cart.run > lib/shop/store.rb::Shop.Store.persist',
    'lib/main.rb::main > lib/shop/cart.rb::Shop.Cart.build',
  ]);
});
