import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges } from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

const SHOP = {
  'src/Shop/Carts/Cart.cs': `using Shop.Prices;
using static Shop.Prices.Rounding;
using Money = Shop.Prices.Price;

namespace Shop.Carts;

public partial class Cart : CartBase
{
    private readonly Item first = new Item(1);
    private Price Price { get; set; }
    private Item Second => first;

    public Cart(int seed) : base(seed) { Fill(); }

    public async Task<Price> Total()
    {
        var item = await Load();
        item?.Sell();
        this.first.Sell();
        Second.Sell(2);
        Half(1);
        Price.Round();
        Discount();
        return new Money().Doubled(2);
    }
}
`,
  'src/Shop/Carts/Cart.Load.cs': `namespace Shop.Carts
{
    public partial class Cart
    {
        private Task<Item> Load()
        {
            Discount();
            return Rules.Find();
        }
    }
}
`,
  'src/Shop/Carts/Item.cs': `namespace Shop.Carts;

public class Item
{
    public Item(int price) { }
    public void Sell() { Sell(1); }
    public void Sell(int count) { }
}

public abstract class CartBase
{
    protected CartBase(int seed) { }
    protected void Discount() { }
    protected void Fill() { }
}
`,
  'src/Shop/Rules.cs': `using Shop.Carts;

namespace Shop;

static class Rules
{
    internal static Item Find() => new Item(2);
}
`,
  'src/Shop/Prices/Price.cs': `namespace Shop.Prices;

public class Price
{
    public void Round() { }
}

public static class Rounding
{
    public static int Half(int a) => a;
    public static Price Doubled(this Price price, int times) => price;
}
`,
};

test('csharp: calls resolve through namespaces, partial classes, properties and bases', async () => {
  assert.deepEqual(
    (await findEdges(SHOP)).map((edge) => edge.replaceAll(/src\/Shop\/(?:\w+\/)?/g, '')),
    [
      'Cart.cs::Cart > Item.cs::CartBase inherit',
      'Cart.cs::Cart > Item.cs::Item construct',
      'Cart.cs::Cart.Cart > Item.cs::CartBase.Fill',
      'Cart.cs::Cart.Total > Cart.Load.cs::Cart.Load',
      'Cart.cs::Cart.Total > Item.cs::CartBase.Discount',
      'Cart.cs::Cart.Total > Item.cs::Item.Sell',
      'Cart.cs::Cart.Total > Item.cs::Item.Sell#2',
      'Cart.cs::Cart.Total > Price.cs::Price construct',
      'Cart.cs::Cart.Total > Price.cs::Price.Round',
      'Cart.cs::Cart.Total > Price.cs::Rounding.Doubled guess',
      'Cart.cs::Cart.Total > Price.cs::Rounding.Half',
      'Cart.Load.cs::Cart.Load > Item.cs::CartBase.Discount',
      'Cart.Load.cs::Cart.Load > Rules.cs::Rules.Find',
      'Item.cs::Item.Sell > Item.cs::Item.Sell#2',
      'Rules.cs::Rules.Find > Item.cs::Item construct',
    ],
  );
});

test('csharp: the graph follows edits', () => assertFollowsEdits(SHOP));

/** The project opens Shop.Utils for all files, although no file does. */
const OPENED = {
  'src/Shop/Utils/Guard.cs': `namespace Shop.Utils;

public static class Guard
{
    public static void NotNull(object value) { }
}

public class Clock
{
    public void Advance() { }
}
`,
  'src/Shop/Carts/Cart.cs': `namespace Shop.Carts;

public class Cart : Clock
{
    private readonly Clock clock;
    private readonly Timer timer;

    public void Total(object value)
    {
        Guard.NotNull(value);
        clock.Advance();
        timer.Wait();
        Clock();
    }
}
`,
  'src/Shop/Left/Timer.cs': 'namespace Shop.Left;\n\nclass Timer\n{\n    void Wait() { }\n}\n',
  'src/Shop/Right/Timer.cs': 'namespace Shop.Right;\n\nclass Timer\n{\n    void Wait() { }\n}\n',
};

test('csharp: the only class of a name is guessed if no file opens its namespace', async () => {
  assert.deepEqual(
    (await findEdges(OPENED)).map((edge) => edge.replaceAll(/src\/Shop\/(?:\w+\/)?/g, '')),
    [
      'Cart.cs::Cart > Guard.cs::Clock inherit guess',
      'Cart.cs::Cart.Total > Guard.cs::Clock.Advance guess',
      'Cart.cs::Cart.Total > Guard.cs::Guard.NotNull guess',
    ],
  );
});

test('csharp: guesses at classes follow edits', () => assertFollowsEdits(OPENED));
