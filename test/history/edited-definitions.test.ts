/** Finds the definition around a line without a syntax tree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenDefinitions } from '../../src/engine/history/edited-file.ts';
import { HistoryIndex } from '../../src/engine/history/history-index.ts';
import { findBoundary } from '../../src/engine/history/outline.ts';
import { getLanguage } from '../../src/engine/languages/index.ts';
import type { ChunkKind } from '../../src/shared/chunk-kind.ts';

/** Returns the definition around each line that contains `edit`, in order. */
function findDefinitions(name: string, text: string): string[] {
  const language = getLanguage(name);
  const open = new OpenDefinitions();
  return text.split('\n').flatMap((row) => {
    const boundary = findBoundary(language, `${row}\n`, 0);
    if (boundary) open.pass(boundary);
    return row.includes('edit') ? [open.getEnclosing(language.layout.measureIndent(row, 0))] : [];
  });
}

test('does not assign blocks after a function to the function', () => {
  const kotlin = [
    'class Cart {',
    '    fun total(): Int {',
    '        edit()',
    '    }',
    '    companion object {',
    '        fun empty() {',
    '            edit()',
    '        }',
    '    }',
    '    var size: Int',
    '        get() = edit()',
    '}',
  ];
  assert.deepEqual(findDefinitions('kotlin', kotlin.join('\n')), [
    'Cart.total',
    'Cart.empty',
    'Cart',
  ]);
  const ruby = [
    'class Cart',
    '  def total',
    '    edit',
    '  end',
    '  class << self',
    '    def empty',
    '      edit',
    '    end',
    '  end',
    '  included do',
    '    edit',
    '  end',
    'end',
  ];
  assert.deepEqual(findDefinitions('ruby', ruby.join('\n')), ['Cart.total', 'Cart.empty', 'Cart']);
  const python = [
    'def first():',
    '    edit()',
    'if SIX:',
    '    class Cart:',
    '        def total(self):',
    '            edit()',
  ];
  assert.deepEqual(findDefinitions('python', python.join('\n')), ['first', 'Cart.total']);
});

test('names functions in JavaScript and TypeScript by their assignments', () => {
  const text = [
    'const api = {',
    '  load() {',
    '    edit();',
    '  },',
    '  save: async (x) => {',
    '    edit();',
    '  },',
    '};',
    'module.exports = {',
    '  run() {',
    '    edit();',
    '  },',
    '};',
    'exports.close = function () {',
    '  edit();',
    '};',
    'jspb.Writer.prototype.write = function (field) {',
    '  edit();',
    '};',
    'export const View: React.FC<Props> = ({',
    '  edit,',
    '}) => {',
    '  edit();',
    '};',
    'describe("no definition", () => {',
    '  edit();',
    '});',
    'class Svc {',
    '  async beta(',
    '    a: string,',
    '  ): Promise<void> {',
    '    edit();',
    '  }',
    '  private async *delta() {',
    '    edit();',
    '  }',
    '  onClick = (event: Event): void => {',
    '    edit();',
    '  };',
    '}',
    'export default () => {',
    '  edit();',
    '};',
  ];
  assert.deepEqual(findDefinitions('typescript', text.join('\n')), [
    ...['api.load', 'api.save', 'run', 'close', 'Writer.write', 'View', 'View', '<module>'],
    ...['Svc.beta', 'Svc.delta', 'Svc.onClick', 'default'],
  ]);
});

test('reads C and C++: multi-line parameters, macros, specializations, braces on their own lines', () => {
  const text = [
    'int first(int a,',
    '          int b)',
    '{',
    '  edit();',
    '}',
    '#define TWICE(x) \\',
    '  edit(x); \\',
    '  edit(x)',
    'SYSCALL_DEFINE2(close, unsigned int, fd, int, flags)',
    '{',
    '  edit();',
    '}',
    'PHP_METHOD(Cart, total) {',
    '  edit();',
    '}',
    'namespace shop {',
    'std::vector<int> shop::Cart::list(',
    '    int n) {',
    '  edit();',
    '}',
    'template <typename T>',
    'struct Sum<Device, T> : public Base<T> {',
    '  void operator()(const T& a,',
    '                  const T& b) {',
    '    edit();',
    '  }',
    '  bool isEmpty(const T& a) const',
    '  {',
    '    edit();',
    '  }',
    '};',
    '}',
  ];
  assert.deepEqual(findDefinitions('cpp', text.join('\n')), [
    ...[
      'first',
      'TWICE',
      'TWICE',
      'close',
      'Cart.total',
      'Cart.list',
      'Sum.operator()',
      'Sum.isEmpty',
    ],
  ]);
});

test('reads Java and C#: annotations among modifiers, constructors, tuples, properties', () => {
  const java = [
    'class Cart {',
    '    Cart(String name,',
    '         int size) {',
    '        edit();',
    '    }',
    '    private static @Nullable Item find(Key key) {',
    '        edit();',
    '    }',
    '    static {',
    '        edit();',
    '    }',
    '}',
  ];
  assert.deepEqual(findDefinitions('java', java.join('\n')), ['Cart.Cart', 'Cart.find', 'Cart']);
  const csharp = [
    'class Cart',
    '{',
    '    public async Task<(string Id, long Delay)> Add(',
    '        string id)',
    '    {',
    '        edit();',
    '    }',
    '    public bool IsEmpty',
    '    {',
    '        get { return edit; }',
    '    }',
    '    void pb::IMessage.Merge(ref Context input) {',
    '        edit();',
    '    }',
    '}',
  ];
  assert.deepEqual(findDefinitions('csharp', csharp.join('\n')), [
    'Cart.Add',
    'Cart.IsEmpty',
    'Cart.Merge',
  ]);
});

test('finds the history of a chunk without its namespace, but of a method never without its class', () => {
  const history = HistoryIndex.fromCommits([
    {
      hash: 'a'.repeat(40),
      time: 0,
      message: 'Round totals',
      edits: [{ path: 'Cart.php', from: null, definitions: ['Cart.total', 'round', 'sum'] }],
    },
  ]);
  const isKnown = (qualifiedName: string, kind: ChunkKind) =>
    history.findDefinition({ path: 'Cart.php', qualifiedName, kind }) !== undefined;
  assert.ok(isKnown('Cart.total', 'method'));
  assert.ok(isKnown('App.Shop.Cart.total', 'method'));
  assert.ok(isKnown('App.round', 'function'));
  assert.ok(!isKnown('App.Cart.sum', 'method'));
  assert.ok(!isKnown('App.Cart', 'class'));
  assert.equal(
    history.findDefinition({ path: 'Other.php', qualifiedName: 'round', kind: 'function' }),
    undefined,
  );
});

test('assigns lines of a component to its template and to its methods', () => {
  const vue = (open: string, indent: string) => [
    '<template>',
    '  <p @click="edit">',
    '    <template>edit</template>',
    '  </p>',
    '</template>',
    '<script>',
    `${indent}const edit = 1;`,
    `${indent}${open}`,
    `${indent}  methods: {`,
    `${indent}    save() {`,
    `${indent}      edit();`,
    `${indent}    },`,
    `${indent}  },`,
    `${indent}}`,
    '</script>',
    '<style>',
    '  .edit {}',
    '</style>',
  ];
  for (const [open, indent] of [
    ['export default {', ''],
    ['export default defineComponent({', '  '],
  ] as const)
    assert.deepEqual(findDefinitions('vue', vue(open, indent).join('\n')), [
      '<template>',
      '<template>',
      '<module>',
      'default.methods.save',
      '<module>',
    ]);
});
