/** Import paths in `go.mod` and `go.work`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFile } from '../../../src/engine/parse/parse-file.ts';
import { findEdges } from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

/** Returns the target of the call of `Run` in an imported package; empty if it is unresolved. */
async function leadsTo(
  path: string,
  manifests: Record<string, string>,
  packages: readonly string[],
  importer = 'main.go',
): Promise<string> {
  const files = Object.fromEntries(
    packages.map((file) => [file, 'package lib\n\nfunc Run() {}\n']),
  );
  const use = `package main\n\nimport lib "${path}"\n\nfunc main() {\n\tlib.Run()\n}\n`;
  const found = await findEdges({ ...files, ...manifests, [importer]: use });
  return found[0]?.split(' > ')[1]?.split('::')[0] ?? '';
}

const APP = { 'go.mod': 'module example.com/team/app // ours\n\ngo 1.24\n' };

test('an import path is the path of the module and a folder in it', async () => {
  const files = ['deep/lib/a.go', 'lib/a.go', 'app/lib/a.go'];
  assert.equal(await leadsTo('example.com/team/app/deep/lib', APP, files), 'deep/lib/a.go');
  assert.equal(await leadsTo('example.com/team/app/lib', APP, files), 'lib/a.go');
  assert.equal(await leadsTo('example.com/team/lib', APP, ['example.com/team/a.go']), '');
});

test('a path of another module is external, whatever the folder names', async () => {
  for (const path of ['github.com/other/app/lib', 'example.com/team/application/lib', 'fmt', 'lib'])
    assert.equal(await leadsTo(path, APP, ['lib/a.go', 'ication/lib/a.go']), '', path);
  assert.equal(await leadsTo('github.com/other/app/lib', {}, ['lib/a.go']), 'lib/a.go');
  const vendored = 'vendor/github.com/other/app/lib/a.go';
  assert.equal(await leadsTo('github.com/other/app/lib', APP, [vendored, 'lib/a.go']), vendored);
});

test('the package of a root has the last name of the path, without its version', async () => {
  const manifest = { 'go.mod': 'module "github.com/me/go-lib/v2"\n' };
  assert.equal(await leadsTo('github.com/me/go-lib/v2', manifest, ['a.go'], 'cmd/main.go'), 'a.go');
});

test('nested modules: the longest path first', async () => {
  const manifests = { ...APP, 'tools/go.mod': 'module example.com/team/app/tools\n' };
  const files = ['tools/lib/a.go', 'lib/a.go'];
  const to = (path: string, importer: string) => leadsTo(path, manifests, files, importer);
  assert.equal(await to('example.com/team/app/tools/lib', 'cmd/main.go'), 'tools/lib/a.go');
  assert.equal(await to('example.com/team/app/lib', 'tools/main.go'), 'lib/a.go');
});

test('replace with a folder, in a line and in a block, with and without versions', async () => {
  const manifest = `module example.com/team/app

replace github.com/other/one => ./forks/one
replace (
	github.com/other/two v1.2.3 => ./forks/two // ours
	"github.com/other/three" => github.com/else/three v2.0.0
)
`;
  const files = ['forks/one/lib/a.go', 'forks/two/a.go', 'three/a.go', 'lib/a.go'];
  const to = (path: string) => leadsTo(path, { 'go.mod': manifest }, files);
  assert.equal(await to('github.com/other/one/lib'), 'forks/one/lib/a.go');
  assert.equal(await to('github.com/other/two'), 'forks/two/a.go');
  assert.equal(await to('github.com/other/three'), '');
});

test('go.work: which of several modules of one path, and replacements for all', async () => {
  const manifests = {
    'go.work': 'go 1.24\n\nuse (\n\t./app\n\t./two\n)\n\nreplace github.com/other/it => ./it\n',
    'app/go.mod': 'module example.com/app\n',
    'one/go.mod': 'module example.com/lib\n',
    'two/go.mod': 'module example.com/lib\n',
    'it/go.mod': 'module github.com/me/it\n',
  };
  const files = ['one/lib/a.go', 'two/lib/a.go', 'it/a.go'];
  const to = (path: string) => leadsTo(path, manifests, files, 'app/main.go');
  assert.equal(await to('example.com/lib/lib'), 'two/lib/a.go');
  assert.equal(await to('github.com/other/it'), 'it/a.go');
});

test('a damaged manifest has a reason, and imports resolve by paths', async () => {
  for (const text of ['', 'go 1.24\n', 'module a.b/c\nreplace (\n', 'module\n', '}{']) {
    const { facts } = await parseFile('go.mod', text);
    assert.ok(facts.manifest?.problem, text);
    assert.deepEqual(facts.manifest.entries, []);
    assert.equal(
      await leadsTo('github.com/me/app/lib', { 'go.mod': text }, ['lib/a.go']),
      'lib/a.go',
    );
  }
});

test('after edits of manifests and sources, the graph equals a new one', async () => {
  const use = (path: string) =>
    `package main\n\nimport lib "${path}"\n\nfunc main() { lib.Run() }\n`;
  const lib = 'package lib\n\nfunc Run() {}\n';
  await assertFollowsEdits({
    'go.mod': 'module example.com/app\n\nreplace github.com/other/one => ./fork\n',
    'go.work': 'use .\nuse ./two\n',
    'one/go.mod': 'module example.com/lib\n',
    'two/go.mod': 'module example.com/lib\n',
    'cmd/a/main.go': use('example.com/app/lib'),
    'cmd/b/main.go': use('github.com/other/one'),
    'cmd/c/main.go': use('example.com/lib'),
    'lib/a.go': lib,
    'fork/a.go': lib,
    'one/a.go': lib,
    'two/a.go': lib,
  });
});
