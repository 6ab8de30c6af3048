import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../src/engine/event-loop/stepwise.ts';
import {
  createGraph,
  findEdges,
  listEdges,
  parseGraphFile,
  parseGraphFiles,
} from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

test('ruby: constants of all files, own methods, mixins and attribute values are followed', async () => {
  const found = await findEdges({
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

const PARTS = {
  'lib/base.rb':
    'module Shop\n  module Parts\n    class Base\n      def price; end\n    end\n    module Helps\n      def round(x); end\n    end\n  end\nend\n',
  'lib/wheel.rb':
    'module Shop\n  module Parts\n    class Wheel < Base\n      include Helps\n      def total\n        round(price)\n      end\n    end\n  end\nend\n',
  'lib/other.rb': 'class Other::Base\n  def price; end\nend\nmodule Helps\nend\n',
};

test('ruby: nested modules that several files open are one', async () => {
  assert.deepEqual(await findEdges(PARTS), [
    'lib/wheel.rb::Shop.Parts.Wheel > lib/base.rb::Shop.Parts.Base inherit',
    'lib/wheel.rb::Shop.Parts.Wheel > lib/base.rb::Shop.Parts.Helps inherit',
    'lib/wheel.rb::Shop.Parts.Wheel.total > lib/base.rb::Shop.Parts.Base.price',
    'lib/wheel.rb::Shop.Parts.Wheel.total > lib/base.rb::Shop.Parts.Helps.round',
  ]);
});

test('ruby: the graph follows edits', () => assertFollowsEdits(PARTS));

test('ruby: a reopened module and a new class in it are noticed', async () => {
  const open = (text: string) => `module Shop\n${text}\nend\n`;
  const parts = (text: string) => open(`module Parts\n${text}\nend`);
  const files = await parseGraphFiles({
    'more.rb': open(''),
    'use.rb': 'def use\n  Shop::Parts::Late.new\nend\n',
    'wheel.rb': parts('class Wheel\nend'),
  });
  const graph = createGraph(files);
  for (const path of files.keys()) listEdges(graph, files, path);
  runToEnd(graph.takeAffected());
  let found: string[] = [];
  for (const text of [parts(''), parts('class Late\nend'), parts('')]) {
    files.set('more.rb', await parseGraphFile('more.rb', text));
    graph.put('more.rb', files.get('more.rb') ?? null);
    if (runToEnd(graph.takeAffected()).has('use.rb')) found = listEdges(graph, files, 'use.rb');
    const isThere = text.includes('Late');
    assert.deepEqual(found, isThere ? ['use.rb::use > more.rb::Shop.Parts.Late construct'] : []);
  }
});

test('ruby: source code does not call functions of tests', async () => {
  const found = await findEdges({
    'lib/cart.rb': 'class Cart\n  def total\n    check(1)\n  end\nend\n',
    'spec/cart_spec.rb':
      "describe Cart do\n  def check(x)\n  end\n  it('adds') { check(2) }\nend\nclass Extra\nend\n",
    'spec/other_spec.rb': 'describe Extra do\n  def make\n    Extra.new\n  end\nend\n',
  });
  assert.deepEqual(found, [
    'spec/cart_spec.rb::<module> > spec/cart_spec.rb::check',
    'spec/other_spec.rb::make > spec/cart_spec.rb::Extra construct',
  ]);
});
