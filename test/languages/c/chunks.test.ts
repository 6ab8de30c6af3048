import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '../../../src/engine/languages/c/prepare.ts';
import { assertSound, chunkOf, dedent, outline, references } from '../../parse/helpers.ts';
import { assertMutationsSound, fixture, parserFor } from '../helpers.ts';

const parseC = await parserFor('c');
const parseCpp = await parserFor('cpp');
const C = fixture('c', 'awkward.c');
const CPP = fixture('c', 'awkward.cc');
const DOCS = /^\/[/*]/;

test('c: every definition of an awkward file is a chunk, and nothing else', () => {
  const source = parseC(C);
  assertSound(source, DOCS);
  assert.deepEqual(outline(source), [
    'function MAX 7-7',
    'function SWAP 8-13',
    'class price 15-19',
    'class price.value 18-18',
    'class item_t 21-23',
    'class cart 25-29',
    'class kind 31-31',
    'class state 32-32',
    'class either 33-33',
    'function total 38-43',
    'function names 45-54',
    'function twin 57-59',
    'function twin#2 61-63',
    'function old 66-71',
    'function torn 73-82',
    'function split 85-91',
    'function decorated 93-93',
    'function also 94-94',
    'function on_its_own_line 95-99',
    'function handler 101-103',
    'function bracketed 104-104',
    'function adds 106-109',
  ]);
  assert.equal(source.errors, 0);
});

test('c++: every definition of an awkward file is a chunk, and nothing else', () => {
  const source = parseCpp(CPP);
  assertSound(source, DOCS);
  assert.deepEqual(outline(source), [
    'class shop.base.Shelf 9-41',
    'method shop.base.Shelf.Shelf 13-13',
    'method shop.base.Shelf.Shelf#2 14-14',
    'method shop.base.Shelf.Shelf#3 16-16',
    'method shop.base.Shelf.size 18-19',
    'method shop.base.Shelf.as 20-23',
    'method shop.base.Shelf.operator bool 24-24',
    'method shop.base.Shelf.operator== 25-25',
    'method shop.base.Shelf.operator() 26-26',
    'method shop.base.Shelf.operator[] 27-27',
    'method shop.base.Shelf.swap 28-28',
    'method shop.base.Shelf.name 29-29',
    'class shop.base.Shelf.Slot 32-35',
    'method shop.base.Shelf.Slot.clear 34-34',
    'class shop.base.Shelf.Kind 36-36',
    'method shop.base.Shelf.~Shelf 43-46',
    'function shop.base.hidden 49-49',
    'function shop.base.v2.versioned 53-53',
    'method shop.base.Shelf.Slot.get 59-62',
    'method shop.base.Shelf.operator bool#2 63-63',
    'function shop.operator<< 64-64',
    'function shop.special 65-65',
    'function shop.trailing 66-66',
    'method shop.Cart.Cart 67-69',
    'function exported 73-73',
    'function single 76-76',
    'class Plain 78-78',
    'class Either 79-79',
    'function with_lambda 81-85',
    'method ShelfTest.IsEmpty 87-89',
    'method ShelfTest.IsFull 91-92',
    'function fast 94-94',
  ]);
  assert.equal(source.errors, 0);
});

test('c: a comment above a definition is its docstring', () => {
  const docOf = (name: string, source = parseC(C)) => {
    const { text, doc } = chunkOf(source, name);
    return doc && text.slice(...doc);
  };
  assert.equal(docOf('price'), '/* A price. */');
  assert.equal(docOf('total'), '// Adds up\n// everything.');
  assert.equal(docOf('MAX'), null);
  assert.equal(docOf('shop.base.Shelf', parseCpp(CPP)), '/// What can be sold.');
});

test('c++: the text of a class has its fields, its constructors and the headers of its methods', () => {
  const { text } = chunkOf(parseCpp(CPP), 'shop.base.Shelf');
  assert.match(text, /^template <typename T, int N = 3>\nclass SHOP_API Shelf final/);
  assert.match(text, /\n {2}std::unique_ptr<T> items_;\n/);
  assert.match(text, /\n {4}explicit Shelf\(int size\) : size_\(size\) \{\}\n/);
  assert.match(text, /\n {4}bool operator==\(const Shelf& other\) const;/);
});

test('c: macros alone on rows, without a semicolon, are no part of the next function', () => {
  const source = parseC(
    dedent`
      int first(void) {
        return 1;
      }
      EXPORT_SYMBOL(first)
      EXPORT_SYMBOL(second) /* below */

      static int second(int a)
      {
        return called(a);
      }
      DEFINE_TEST(kept)
      {
        return 1;
      }
      MODULE_LICENSE("MIT")
    `,
  );
  assert.deepEqual(outline(source), [
    'function first 1-3',
    'function second 7-10',
    'function kept 11-14',
  ]);
  assert.deepEqual(references(source, 'second'), ['call called']);
  assert.deepEqual(references(source), ['call MODULE_LICENSE']);
});

test('c: unsupported syntax is white space, and everything else keeps its position', () => {
  const torn = 'class API X {\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n';
  const prepared = prepare(torn);
  assert.equal(prepared.length, torn.length);
  assert.deepEqual(
    prepared.split('\n').map((line) => line.trimEnd()),
    ['class     X {', '', '  if (a) {', '', '', '', '  }', ''],
  );
  const whole = '#if A\nint f(int a) { return a; }\n#else\nint f(long a);\n#endif\nX_Y z = TOP;\n';
  assert.equal(prepare(whole), whole);
});

/** Linux and PHP define functions in this form. */
const MACROS = `SYSCALL_DEFINE3(read_at, unsigned int, fd, char __user *, buf, size_t, count)
{
  return ksys_read(fd, buf, count);
}
SYSCALL_DEFINE0(getpid)
{
  return 1;
}
#ifdef BACKWARDS
COMPAT_SYSCALL_DEFINE2(clone, unsigned long, flags,
                       int __user *, parent)
#else
COMPAT_SYSCALL_DEFINE2(clone, unsigned long, flags,
                       int __user *, child)
#endif
{
  return 2;
}
PHP_METHOD(Cart, total);
PHP_METHOD(Cart, total)
{
  RETURN_LONG(1);
}
ZEND_METHOD(PDO,query) {
}
PHP_FUNCTION(cart_open)
{
}
static int after(void)
{
  return 0;
}
`;

for (const [name, parse] of [
  ['c', parseC],
  ['c++', parseCpp],
] as const)
  test(`${name}: system calls and methods of PHP are functions of their names`, () => {
    const source = parse(MACROS);
    assertSound(source, DOCS);
    assert.equal(source.errors, 0);
    assert.deepEqual(outline(source), [
      'function read_at 1-4',
      'function getpid 5-8',
      'function clone 10-18',
      'method Cart.total 20-23',
      'method PDO.query 24-25',
      'function cart_open 26-28',
      'function after 29-32',
    ]);
    assert.equal(
      prepare(MACROS).split('\n')[0],
      'long            read_at( unsigned int  fd, char        *  buf, size_t  count)',
    );
    assert.match(chunkOf(source, 'Cart.total').text, /^PHP_METHOD\(Cart, total\)\n\{/);
  });

test('c: a conditional group that opens more than it closes does not affect the rest', () => {
  const source = parseC(`#ifdef __cplusplus
extern "C" {
#endif
int first(void) { return 1; }
#if defined(A) && \\
    defined(B)
#define TWICE(x) { \\
  (x)
#endif
int second(int a,
#ifdef A
  int b,
#endif
  int c) {
  return a;
}
#ifdef __cplusplus
}
#endif
`);
  assert.deepEqual(outline(source), [
    'function first 4-4',
    'function TWICE 7-8',
    'function second 10-16',
  ]);
});

test('c++: macros in front of constructors and of blocks', () => {
  const source = parseCpp(dedent`
    struct Cart {
      SHOP_CONSTEXPR Cart() : size(0), items{} {}
      SHOP_CONSTEXPR Cart(int size_) noexcept
          : size(size_ & 0xFF) {}
      int size;
    };

    void Cart::clear() {
      SHOP_TRY {
        for (int i = 0; i < size; i++) drop(i);
      }
      SHOP_CATCH
    }
  `);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Cart 1-6',
    'method Cart.Cart 2-2',
    'method Cart.Cart#2 3-4',
    'method Cart.clear 8-13',
  ]);
});

test('c++: macros that annotate a function after its parameters', () => {
  const text = dedent`
    class Cart {
      bool full() const override REQUIRES_LOCK(lock) {
        return true;
      }
      bool empty() REQUIRES_LOCK(lock) override {
        return false;
      }
      int size() const SHOP_PURE noexcept(SHOP_SAFE) EXCLUDES_LOCK(other) final
      {
        return 1;
      }
      explicit Cart(int size)
          REQUIRES_LOCK(lock)
          : size_(size) {}
      void add(Item& item,
               const std::atomic<bool>& stop)
          REQUIRES_LOCK(item.mutex(), lock)
          EXCLUDES_LOCK(::shop);
      [[nodiscard]] virtual bool drop(Item& item) REQUIRES_LOCK(lock) = 0;
    };

    Cart::Cart(int size) REQUIRES_LOCK(lock)
      : size_(size)
    {
    }

    void Cart::clear(int from) REQUIRES_LOCK(lock)
    {
      if (from) SHOP_LOG(from);
      if (from &&
          size_)
        SHOP_LOG(size_);
      else if (size_) SHOP_LOG(size_);
    }

    static void all(int from,
                    int to)
        REQUIRES_LOCK(lock) {
    }
  `;
  const source = parseCpp(text);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Cart 1-20',
    'method Cart.full 2-4',
    'method Cart.empty 5-7',
    'method Cart.size 8-11',
    'method Cart.Cart 12-14',
    'method Cart.Cart#2 22-25',
    'method Cart.clear 27-34',
    'function all 36-39',
  ]);
  const left = prepare(text).match(/\b[A-Z_]{4,}/g);
  assert.deepEqual(left, ['SHOP_SAFE', 'SHOP_LOG', 'SHOP_LOG', 'SHOP_LOG'], 'what is called stays');
});

test('c++: slots and signals are parts of a class', () => {
  const text = dedent`
    class Window : public QMainWindow
    {
        Q_OBJECT
        Q_PROPERTY(int value READ value NOTIFY valueChanged)

    public:
        explicit Window(QWidget *parent = nullptr);
        int value() const { return value_; }

    signals:
        void valueChanged(int value);

    public slots:
        void setValue(int value)
        {
            emit valueChanged(value);
        }

    Q_SIGNALS:
        void closed();

    private Q_SLOTS:
        void tick() { update(); }

    protected:
        void paint(QPaintEvent *event) override {
            draw();
        }
    };
  `;
  assert.deepEqual(outline(parseCpp(text)), [
    'class Window 1-29',
    'method Window.value 8-8',
    'method Window.setValue 14-17',
    'method Window.tick 23-23',
    'method Window.paint 26-28',
  ]);
  assert.equal(prepare(text).length, text.length);
  assert.equal(parseCpp(text.replace(/.*Q_PROPERTY.*/, '')).errors, 0);
  const call = 'void f() {\n  signals::emit(slots);\n}\n';
  assert.equal(prepare(call), call);
});

test('c++: text with syntax errors keeps its definitions', () => {
  const source = parseCpp(`int sound() {
  return 1;
}

class Torn : public
{
  void method( {
  }

  int whole(int a) {
    return a;
  }
};

int Torn::apart(int a)
{
  if (a {
}

int rest() {
  return 2;
}
`);
  assertSound(source, DOCS);
  assert.ok(source.errors > 0);
  const lines = outline(source);
  for (const expected of ['function sound 1-3', 'function rest 20-22'])
    assert.ok(lines.includes(expected), lines.join(', '));
  assert.ok(lines.some((line) => line.includes('apart')));
});

test('c: mutated sources stay valid', () => assertMutationsSound(parseC, C, DOCS));
test('c++: mutated sources stay valid', () => assertMutationsSound(parseCpp, CPP, DOCS));
