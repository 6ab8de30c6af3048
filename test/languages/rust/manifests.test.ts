/** Crates in `Cargo.toml`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFile } from '../../../src/engine/parse/parse-file.ts';
import { findEdges } from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

const LIBRARY = 'pub fn run() {}\n';

/** Returns the target of the call of `run` imported by this path; empty if it is unresolved. */
async function leadsTo(
  path: string,
  manifests: Record<string, string>,
  files: readonly string[],
  importer = 'app/src/main.rs',
): Promise<string> {
  const sources = Object.fromEntries(files.map((file) => [file, LIBRARY]));
  const use = `use ${path}::run;\n\nfn start() {\n    run();\n}\n`;
  const found = await findEdges({ ...sources, ...manifests, [importer]: use });
  return found[0]?.split(' > ')[1]?.split('::')[0] ?? '';
}

const app = (dependencies: string) => `[package]\nname = "app"\n\n${dependencies}\n`;
const package_ = (name: string, more = '') => `[package]\nname = "${name}"\n${more}`;

test('dependencies by path, with any folder names', async () => {
  const manifests = (table: string) => ({
    'app/Cargo.toml': app(table),
    'parts/one/Cargo.toml': package_('the-core'),
    'parts/the_core/Cargo.toml': package_('other'),
  });
  const files = ['parts/one/src/lib.rs', 'parts/the_core/src/lib.rs'];
  for (const [table, path] of [
    ['[dependencies]\nthe-core = { path = "../parts/one" }', 'the_core'],
    ['[dev-dependencies]\nthe-core = { path = "../parts/one" }', 'the_core'],
    ['[target."cfg(unix)".dependencies.the-core]\npath = "../parts/one"', 'the_core'],
    ['[dependencies]\nheart = { package = "the-core", path = "../parts/one" }', 'heart'],
    ['[dependencies]\nheart = { package = "the-core", version = "1" }', 'heart'],
  ] as const)
    assert.equal(await leadsTo(path, manifests(table), files), files[0], table);
});

test('a package is a crate only for its dependents', async () => {
  const manifests = { 'app/Cargo.toml': app('[dependencies]\nserde = "1"') };
  const files = ['serde/src/lib.rs', 'other/src/lib.rs'];
  assert.equal(await leadsTo('other', manifests, files), '');
  assert.equal(await leadsTo('serde', manifests, files), '', 'it comes from a registry');
  assert.equal(await leadsTo('other', {}, files), 'other/src/lib.rs', 'nothing is known');
});

test('shared dependencies and patches of a workspace', async () => {
  const manifests = {
    'Cargo.toml': `[workspace]
members = ["app", "parts/*"]

[workspace.dependencies]
heart = { package = "core-lib", path = "parts/one" }

[patch.crates-io]
other = { path = "forks/other" }
`,
    'app/Cargo.toml': app('[dependencies]\nheart.workspace = true\nother = "1"'),
    'parts/one/Cargo.toml': package_('core-lib'),
    'forks/other/Cargo.toml': package_('other'),
  };
  const files = ['parts/one/src/lib.rs', 'forks/other/src/lib.rs'];
  assert.equal(await leadsTo('heart', manifests, files), files[0]);
  assert.equal(await leadsTo('other', manifests, files), files[1]);
});

test('a library has its own name and path', async () => {
  const manifests = {
    'app/Cargo.toml': app('[dependencies]\nmd-5 = { path = "../md" }'),
    'md/Cargo.toml': package_('md-5', '[lib]\nname = "md5"\npath = "code/start.rs"\n'),
  };
  const files = ['md/code/start.rs', 'md/src/lib.rs'];
  assert.equal(await leadsTo('md5', manifests, files), files[0]);
  assert.equal(await leadsTo('md5', manifests, files, 'md/tests/all.rs'), files[0]);
});

test('roots in a manifest are roots of crates', async () => {
  const found = await findEdges({
    'Cargo.toml': `${package_('app', '[lib]\npath = "src/start.rs"\n')}
[[bin]]
name = "tool"
path = "tools/tool.rs"
`,
    'src/start.rs': 'mod inner;\npub fn run() {}\n',
    'src/inner.rs': 'pub fn f() {\n    crate::run();\n    super::run();\n}\n',
    'tools/tool.rs': 'mod part;\nfn go() {}\nfn main() {\n    part::g();\n    app::run();\n}\n',
    'tools/part.rs': 'pub fn g() {\n    crate::go();\n}\n',
  });
  assert.deepEqual(found, [
    'src/inner.rs::f > src/start.rs::run',
    'tools/tool.rs::main > src/start.rs::run',
    'tools/tool.rs::main > tools/part.rs::g',
    'tools/part.rs::g > tools/tool.rs::go',
  ]);
});

test('a damaged manifest has a reason, and imports resolve by paths', async () => {
  for (const text of ['[package', 'a = 1\na = 2\n', '= ']) {
    const { facts } = await parseFile('Cargo.toml', text);
    assert.ok(facts.manifest?.problem, text);
    const manifests = { 'app/Cargo.toml': text };
    assert.equal(await leadsTo('other', manifests, ['other/src/lib.rs']), 'other/src/lib.rs');
  }
});

test('fields of a wrong type are ignored', async () => {
  for (const value of ['1', '"x"', '[]', '[[1], {}]', '{ a = 1 }', '{ path = 1, workspace = 1 }'])
    for (const key of ['package', 'lib', 'bin', 'dependencies', 'workspace', 'patch', 'target']) {
      const { facts } = await parseFile('Cargo.toml', `${key} = ${value}\n`);
      assert.equal(facts.manifest?.problem, null, `${key} = ${value}`);
    }
});

test('after edits of manifests and sources, the graph equals a new one', async () => {
  const use = (path: string) => `use ${path}::run;\n\nfn start() {\n    run();\n}\n`;
  await assertFollowsEdits({
    'Cargo.toml': `[workspace]
[workspace.dependencies]
shared = { path = "parts/shared", package = "shared-lib" }
`,
    'app/Cargo.toml': app(`[dependencies]
renamed = { package = "named", path = "../parts/one" }
shared = { workspace = true }
found = "1"
`),
    'parts/one/Cargo.toml': package_('named', '[lib]\npath = "src/start.rs"\n'),
    'parts/shared/Cargo.toml': package_('shared-lib'),
    'elsewhere/Cargo.toml': package_('found'),
    'parts/one/src/start.rs': 'mod inner;\npub fn run() {}\n',
    'parts/one/src/lib.rs': LIBRARY,
    'parts/one/src/inner.rs': 'fn f() {\n    crate::run();\n}\n',
    'parts/shared/src/lib.rs': LIBRARY,
    'elsewhere/src/lib.rs': LIBRARY,
    'app/src/main.rs': use('renamed'),
    'app/src/bin/two.rs': use('shared'),
    'app/src/bin/three.rs': use('found'),
  });
});
