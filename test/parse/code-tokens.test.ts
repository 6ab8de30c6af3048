import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getLanguage, getLanguages } from '../../src/engine/languages/index.ts';
import { readCodeTokens } from '../../src/engine/parse/code-tokens.ts';
import { TOKEN_KINDS } from '../../src/shared/code-tokens.ts';
import { dedent } from './helpers.ts';

/** Every token as `kind name`, line by line: a line of the source, a line of names. */
async function namesOf(language: string, source: string): Promise<string[]> {
  const lines = source.split('\n');
  const names: string[][] = lines.map(() => []);
  const tokens = await readCodeTokens(getLanguage(language), source);
  let line = 0;
  let column = 0;
  for (let at = 0; at < tokens.length; at += 5) {
    const [down = 0, right = 0, length = 0, kind = -1, modifiers] = tokens.slice(at, at + 5);
    assert.ok(down > 0 || right > 0 || at === 0, 'tokens are in order, and none twice');
    assert.equal(modifiers, 0);
    line += down;
    column = down > 0 ? right : column + right;
    names[line]!.push(`${TOKEN_KINDS[kind]} ${lines[line]!.slice(column, column + length)}`);
  }
  return names.map((of) => of.join(', ')).filter(Boolean);
}

/** Source with the expected names of each line after `//` or `#`. Lines without a comment have no names. */
const SOURCES: Record<string, string> = {
  python: dedent`
    from shop.money import Money, rounded  #= class Money

    @registered  #= call registered
    class Cart(Base):  #= class Cart, class Base
        def total(self, rate: Rate, *rest, fees=0):  #= function total, parameter rate, class Rate, parameter rest, parameter fees
            net = self.lines(rate, fees=fees)  #= call lines, parameter rate, parameter fees
            key = lambda line: line.price * rate  #= parameter line, parameter line, property price, parameter rate
            return Money(rounded(net), rest.rate)  #= class Money, call rounded, parameter rest, property rate

    rate = 1
  `,
  notebook: dedent`
    {"cells": [{"cell_type": "code", "source": [
      "def total(rate, name):\\n",  #= function total, parameter rate, parameter name
      "    return each(rate, Money)"  #= call each, parameter rate, class Money
    ]}]}
  `,
  go: dedent`
    package shop

    type Cart struct {  //= class Cart
    	Lines []Line  //= property Lines, class Line
    }

    func (c *Cart) Total(rate float64, more ...Fee) Money {  //= parameter c, class Cart, function Total, parameter rate, class float64, parameter more, class Fee, class Money
    	sum := round(rate, c.Lines)  //= call round, parameter rate, parameter c, property Lines
    	each(func(line Line) { c.add(line) })  //= call each, parameter line, class Line, parameter c, call add, parameter line
    	return Money{rate: rate, Sum: sum}  //= class Money, property rate, parameter rate, property Sum
    }
  `,
  java: dedent`
    import shop.money.Money;  //= class Money
    @Service  //= class Service
    class Cart extends Base<Line> {  //= class Cart, class Base, class Line
        private final int lines;  //= property lines
        Cart(int lines) { this.lines = lines; }  //= function Cart, parameter lines, property lines, parameter lines
        Money total(Rate rate, Fee... fees) {  //= class Money, function total, class Rate, parameter rate, class Fee, parameter fees
            each(line -> line.add(rate));  //= call each, parameter line, parameter line, call add, parameter rate
            each(Line::price);  //= call each, class Line, call price
            return Money.of(new Sum(fees));  //= class Money, call of, class Sum, parameter fees
        }
    }
  `,
  javascript: dedent`
    import { Money, rounded } from './money.js';  //= class Money
    export class Cart extends Base {  //= class Cart, class Base
      lines = [];  //= property lines
      total = (rate) => rate.of(this.lines);  //= function total, parameter rate, parameter rate, call of, property lines
      add(line, { fee, tax = 0 }, ...rest) {  //= function add, parameter line, parameter fee, parameter tax, parameter rest
        return new Money(rounded(line.fee), { fee, sum: tax });  //= class Money, call rounded, parameter line, property fee, parameter fee, property sum, parameter tax
      }
    }
    const each = function (fee) { return fee; };  //= function each, parameter fee, parameter fee
    const other = { each: (one) => one, fee };  //= function each, parameter one, parameter one
    const fee = 1;
  `,
  typescript: dedent`
    interface Line { price: Money; add(fee: number): void }  //= class Line, property price, class Money, function add, parameter fee
    export class Cart<T> extends Base implements Line {  //= class Cart, class T, class Base, class Line
      private lines: Line[] = [];  //= property lines, class Line
      total(rate: Rate, by?: (fee: Fee) => void): Money {  //= function total, parameter rate, class Rate, parameter by, parameter fee, class Fee, class Money
        return by(this.lines, rate, fee) as Money;  //= call by, property lines, parameter rate, class Money
      }
    }
    function each({ fee }: Line, ...rest: Fee[]) { return fee + rest; }  //= function each, parameter fee, class Line, parameter rest, class Fee, parameter fee, parameter rest
    @decorated class Other {}  //= call decorated, class Other
  `,
  tsx: dedent`
    const Row = ({ line }: Props) => <Cell price={line.price} />;  //= function Row, parameter line, class Props, class Cell, property price, parameter line, property price
  `,
  vue: dedent`
    <template><Row :line="cart.total(fee)" /></template>  //= class Row, call total
    <script>const add = (fee) => fee;</script>  //= function add, parameter fee, parameter fee
  `,
  svelte: dedent`
    <script>const add = (fee) => fee;</script>  //= function add, parameter fee, parameter fee
    <Row on:add={() => cart.total(fee)} />  //= class Row, call total
  `,
  astro: dedent`
    <Row line={add(cart.price)} />  //= class Row, call add, property price
  `,
  rust: dedent`
    struct Cart { lines: Vec<Line> }  //= class Cart, property lines, class Vec, class Line
    impl Cart {  //= class Cart
        fn total(&self, rate: Rate, mut fee: u8) -> Option<Money> {  //= function total, parameter rate, class Rate, parameter fee, class Option, class Money
            println!("{}", rate);  //= call println, parameter rate
            self.each(|line| line.price + fee);  //= call each, parameter line, parameter line, property price, parameter fee
            Some(Money::of(rounded(rate)))  //= class Some, class Money, call of, call rounded, parameter rate
        }
    }
  `,
  c: dedent`
    #define TWICE(x) ((x) + (x))  //= function TWICE, parameter x
    typedef struct line { int price; } line_t;  //= class line, property price, class line_t
    static int total(const line_t *lines, int count, int (*by)(int)) {  //= function total, class line_t, parameter lines, parameter count, parameter by
        return by(lines->price) + rounded(count, fee);  //= call by, parameter lines, property price, call rounded, parameter count
    }
  `,
  cpp: dedent`
    class Cart : public Base {  //= class Cart, class Base
      Money total(const Rate &rate, int fee = 0);  //= class Money, function total, class Rate, parameter rate, parameter fee
    };
    Money Cart::total(const Rate &rate, int fee) {  //= class Money, class Cart, function total, class Rate, parameter rate, parameter fee
      auto by = [&](Line line) { return line.price + fee; };  //= class Line, parameter line, parameter line, property price, parameter fee
      return std::round<Money>(rate) + this->each(by);  //= call round, class Money, parameter rate, call each
    }
  `,
  csharp: dedent`
    [Service]  //= class Service
    class Cart : Base<Line> {  //= class Cart, class Base, class Line
        private int lines;  //= property lines
        public Money Sum { get; set; }  //= class Money, property Sum
        Cart(int lines) { this.lines = lines; }  //= function Cart, parameter lines, property lines, parameter lines
        Money Total(Rate rate, Line? line) {  //= class Money, function Total, class Rate, parameter rate, class Line, parameter line
            Each(one => one.Price + rate.Fee);  //= call Each, parameter one, parameter one, property Price, parameter rate, property Fee
            return new Money(rate: Round<Fee>(rate), line?.Get());  //= class Money, call Round, class Fee, parameter rate, parameter line, call Get
        }
    }
  `,
  php: dedent`
    <?php
    use Shop\Money;  #= class Money
    class Cart extends Base implements Line {  #= class Cart, class Base, class Line
        private int $lines;  #= property $lines
        public function total(Rate $rate, Fee ...$fees): Money {  #= function total, class Rate, parameter $rate, class Fee, parameter $fees, class Money
            $by = fn($line) => $line->price + $rate;  #= parameter $line, parameter $line, property price, parameter $rate
            return new Money(round($rate), $this->lines, Sum::of($fees));  #= class Money, call round, parameter $rate, property lines, class Sum, call of, parameter $fees
        }
    }
  `,
  kotlin: dedent`
    class Cart(val lines: List<Line>) : Base() {  //= class Cart, parameter lines, class List, class Line, class Base
        val fee: Fee = Fee(1)  //= property fee, class Fee, class Fee
        fun total(rate: Rate, by: (Int) -> Money): Money {  //= function total, parameter rate, class Rate, parameter by, class Int, class Money, class Money
            lines.each { line -> line.add(rate = rate) }  //= call each, parameter line, parameter line, call add, parameter rate
            return by(rate.price)  //= call by, parameter rate, property price
        }
    }
  `,
  ruby: dedent`
    class Cart < Base  #= class Cart, class Base
      def total(rate, fee = 0, *rest, by:, &each)  #= function total, parameter rate, parameter fee, parameter rest, parameter by, parameter each
        @lines.map { |line| line.price(rate) }  #= property @lines, call map, parameter line, parameter line, call price, parameter rate
        Money.new(rounded(fee), by)  #= class Money, call new, call rounded, parameter fee, parameter by
      end
    end
  `,
};

describe('kinds of names in code', () => {
  for (const { name, tokens } of getLanguages()) {
    if (tokens.length === 0) continue;
    test(name, async () => {
      const marked = SOURCES[name];
      assert.ok(marked, `a source in ${name}`);
      const source = marked.replace(/ +(?:\/\/|#)=.*/g, '');
      const expected = [...marked.matchAll(/(?:\/\/|#)= (.*)/g)].map(([, names]) => names);
      assert.deepEqual(await namesOf(name, source), expected);
    });
  }

  test('are found in the intact parts of broken code, and not in an empty file', async () => {
    const broken = 'def f(a, :\n\ndef g(b):\n    return b\n';
    const names = await namesOf('python', broken);
    assert.ok(names.includes('function g, parameter b'), names.join('; '));
    assert.deepEqual(await readCodeTokens(getLanguage('python'), ''), []);
  });

  test('have columns as in editors', async () => {
    const tokens = await readCodeTokens(getLanguage('python'), 'x = "🦊🦊"; f(x)\n');
    assert.deepEqual(tokens, [0, 12, 1, TOKEN_KINDS.indexOf('call'), 0]);
  });
});
