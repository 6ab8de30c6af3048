/** Paths of vendored and generated files, a row for each rule, and similar names that are neither. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTraitsReader, parseAttributeRules } from '../../src/engine/source/attributes.ts';
import { inferRole } from '../../src/engine/source/role.ts';
import type { FileRole } from '../../src/shared/chunk.ts';

const PATHS: Record<string, [FileRole, ...string[]]> = {
  'package managers': [
    'vendored',
    'node_modules/left-pad/index.js',
    'web/bower_components/jquery/src/core.js',
    'jspm_packages/npm/a.js',
    '.yarn/releases/yarn-4.cjs',
  ],
  'folders that say it, in any language': [
    'vendored',
    'third_party/zlib/inflate.c',
    'tools/third-party/a.py',
    'src/thirdparty/fmt/format.h',
    '3rdparty/ippicv/a.cpp',
    'src/pip/_vendor/requests/api.py',
    'botocore/vendored/six.py',
    'mypy/typeshed/stdlib/os.pyi',
    'packages/pyright-internal/typeshed-fallback/stdlib/os.pyi',
  ],
  'files that are handed on to be copied': [
    'vendored',
    'tools/cpplint/cpplint.py',
    'build-tools/versioneer.py',
  ],
  'at the top they are source': ['source', 'cpplint.py', 'ez_setup.py', 'versioneer.py'],
  'Go: vendor': ['vendored', 'vendor/github.com/a/b/c.go', 'cmd/vendor/golang.org/x/sys/unix.go'],
  'PHP: vendor at the top': ['vendored', 'vendor/composer/ClassLoader.php'],
  'PHP: a seller': ['source', 'app/Vendor/Invoice.php', 'src/vendor/Order.php'],
  'Ruby: vendor at the top and below lib': [
    'vendored',
    'vendor/gems/rack/lib/rack.rb',
    'lib/bundler/vendor/thor/lib/thor.rb',
  ],
  'Ruby: a seller': ['source', 'app/models/vendor/invoice.rb'],
  'Python: a seller and interfaces': [
    'source',
    'vendor/models.py',
    'shop/vendor/views.py',
    'IPython/external/qt_for_kernel.py',
    'pkg_resources/extern/__init__.py',
    'django/contrib/admin/sites.py',
    'packages/python/plotly/basedatatypes.py',
  ],
  'Python: externals, extern, packages': [
    'vendored',
    'sklearn/externals/joblib/parallel.py',
    'astropy/extern/ply/lex.py',
    'requests/packages/urllib3/poolmanager.py',
    'requests/packages/chardet/universaldetector.py',
  ],
  'C: copies at the top': [
    'vendored',
    'deps/jemalloc/src/arena.c',
    'vendor/a.h',
    'extern/pybind11/pybind11.h',
    'external/a.cc',
    'externals/a.cc',
  ],
  'C: below, interfaces': ['source', 'src/external/storage.cc', 'src/deps/graph.c'],
  'Rust: cargo vendor': ['vendored', 'vendor/serde/src/lib.rs'],
  'JavaScript: copies for pages': [
    'vendored',
    'vendor/d3.js',
    'deps/undici/undici.js',
    'app/static/vendor/select2/select2.js',
    'docs-site/js/vendor/modernizr.js',
    'public/jquery-1.9.1.js',
  ],
  'JavaScript: a market': ['source', 'src/components/vendor/VendorList.tsx', 'src/vendor/order.ts'],
  'tests of a copy are copies': [
    'vendored',
    'vendor/github.com/a/b/c_test.go',
    'third_party/re2/tests/a.cc',
  ],
  'copies in tests are tests': [
    'test',
    'tests/thirdparty/fuzzer.cpp',
    'test/node_modules/a/index.js',
  ],
  'copies in examples are examples': ['example', 'examples/shop/node_modules/a/index.js'],
  'copies in docs are docs': ['doc', 'docs/third_party/theme.py'],
  'protobuf, by name': [
    'generated',
    'api/cart_pb2.py',
    'api/cart_pb2_grpc.py',
    'api/cart_pb2.pyi',
    'api/cart.pb.go',
    'api/cart_grpc.pb.go',
    'api/cart.pb.gw.go',
    'api/cart.pb.cc',
    'api/cart.pb.h',
    'api/cart_pb.rb',
    'api/cart_pb.js',
    'api/cart_pb.d.ts',
  ],
  'other generators, by name': [
    'generated',
    'pkg/apis/v1/zz_generated.deepcopy.go',
    'src/api.generated.ts',
    'src/api.generated.d.ts',
    'Forms/Main.Designer.cs',
    'obj/App.g.cs',
    'obj/App.g.i.cs',
    'src/monster_generated.h',
    'src/parser.tab.c',
    'single_include/nlohmann/json.hpp',
    'singleheader/simdjson.cpp',
    'gui/moc_window.cpp',
    'gui/ui_window.h',
    'pkg/parsetab.py',
  ],
  'folders of what is generated': [
    'generated',
    'pkg/generated/clientset/clientset.go',
    'src/__generated__/Query.graphql.ts',
    'gen-py/cart/ttypes.py',
    'api/generated-sources/A.java',
    'azure/_generated/models.py',
  ],
  'JavaScript: bundles': [
    'generated',
    'dist/axios.js',
    'packages/one/dist/index.mjs',
    'web/app.min.js',
    'web/app-min.js',
  ],
  'folders that may well be source': [
    'source',
    'build/config.js',
    'src/dist/index.ts',
    'xdist/dist/worker.py',
    'src/pip/_internal/operations/build/wheel.py',
    'internal/build/graph.go',
    'out/printer.c',
    'lib/admin.js',
    'src/generator.py',
    'src/min.js',
    'ui/window.h',
  ],
};

for (const [rule, [role, ...paths]] of Object.entries(PATHS)) {
  test(`roles, ${rule}: ${role}`, () => {
    const wrong = paths.filter((path) => inferRole(path) !== role);
    assert.deepEqual(wrong, []);
  });
}

test('a notice in the text makes source files generated, but not tests or vendored files', () => {
  const generated = true;
  assert.equal(inferRole('src/lexer.c', { generated }), 'generated');
  assert.equal(inferRole('src/lexer_test.go', { generated }), 'test');
  assert.equal(inferRole('vendor/a/lexer.go', { generated }), 'vendored');
});

test("the repository's attributes take precedence over names and texts, both ways", () => {
  const lines = [
    '# roles',
    '*.c text linguist-vendored=false',
    'lib/* linguist-vendored',
    'lib/ours/** -linguist-vendored',
    'schema.py linguist-generated=true',
    '*.pb.go\t-linguist-generated diff',
    'lib/ours/again.py !linguist-vendored linguist-generated',
    'tests/** linguist-vendored',
    '[attr]copy linguist-vendored',
    '!odd linguist-vendored',
  ];
  const rules = parseAttributeRules([
    { folder: 'web/kept', text: '* -linguist-generated' },
    { folder: '', text: lines.join('\r\n') },
    { folder: 'web', text: '*.js linguist-generated\n' },
  ]);
  const declared = createTraitsReader(rules);
  const roles = {
    'deps/lua/lapi.c': 'source',
    'deps/lua/lapi.h': 'vendored',
    'lib/theirs/deep/a.py': 'vendored',
    'lib/ours/a.py': 'source',
    'lib/ours/again.py': 'generated',
    'db/schema.py': 'generated',
    'api/cart.pb.go': 'source',
    'tests/a.py': 'test',
    'web/app.js': 'generated',
    'web/kept/app.js': 'source',
    'app.js': 'source',
    odd: 'source',
  };
  for (const [path, role] of Object.entries(roles))
    assert.equal(inferRole(path, { declared: declared(path) }), role, path);
  assert.equal(inferRole('app.c', { generated: true, declared: { generated: false } }), 'source');
});

test('attributes unrelated to roles give no rules, and the maximum is 200', () => {
  assert.deepEqual(
    parseAttributeRules([{ folder: '', text: '*.py text eol=lf\n*.bin binary\n' }]),
    [],
  );
  const text = 'a linguist-vendored\n'.repeat(300);
  assert.equal(parseAttributeRules([{ folder: '', text }]).length, 200);
});
