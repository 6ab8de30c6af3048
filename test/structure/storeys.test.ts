import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { options, ...ruleSet }: IConfiguration = createRequire(import.meta.url)(
  resolve(ROOT, '.dependency-cruiser.cjs'),
);

async function look(root: string, at: string): Promise<ICruiseResult> {
  const { output } = await cruise([at], { ...options, ruleSet, validate: true, baseDir: root });
  if (typeof output === 'string') throw new Error(output);
  return output;
}

/** Returns `rule: from → to` for everything that the rules forbid in a tree with these files. */
async function violations(files: Record<string, string>, at = 'src'): Promise<string[]> {
  const root = temporaryFolder();
  try {
    writeFiles(root, files);
    const { summary } = await look(root, at);
    return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  } finally {
    removeFolder(root);
  }
}

const R = 'src/renderer';

describe('the rules of the structure refuse', () => {
  it('an import from a storey above', async () => {
    const found = await violations({
      [`${R}/platform/state.ts`]: `import { App } from '../shell/App.tsx';\nexport const state = App;\n`,
      [`${R}/shell/App.tsx`]: 'export const App = () => <p />;\n',
    });
    assert.deepEqual(found, [
      `platform-imports-downwards: ${R}/platform/state.ts → ${R}/shell/App.tsx`,
    ]);
  });

  it('such an import in each storey, of types, for effects, or at run time', async () => {
    const found = await violations({
      [`${R}/ui/a.ts`]: `import type { State } from '../platform/b.ts';\nexport type A = State;\n`,
      [`${R}/platform/b.ts`]: `import '../features/c/index.ts';\nexport type State = 1;\n`,
      [`${R}/features/c/index.ts`]: `export const d = () => import('../../shell/d.ts');\n`,
      [`${R}/shell/d.ts`]: 'export const d = 1;\n',
    });
    assert.deepEqual(found.toSorted(), [
      `features-imports-downwards: ${R}/features/c/index.ts → ${R}/shell/d.ts`,
      `platform-imports-downwards: ${R}/platform/b.ts → ${R}/features/c/index.ts`,
      `ui-imports-downwards: ${R}/ui/a.ts → ${R}/platform/b.ts`,
    ]);
  });

  it('a cycle of files', async () => {
    const found = await violations({
      [`${R}/ui/a.ts`]: `import { b } from './b.ts';\nexport const a = b;\n`,
      [`${R}/ui/b.ts`]: `import { a } from './a.ts';\nexport const b = () => a;\n`,
    });
    assert.ok(found.includes(`no-file-cycle: ${R}/ui/a.ts → ${R}/ui/b.ts`), found.join('\n'));
  });

  it('a cycle of types alone', async () => {
    const found = await violations({
      [`${R}/ui/a.ts`]: `import type { B } from './b.ts';\nexport type A = B | 1;\n`,
      [`${R}/ui/b.ts`]: `import type { A } from './a.ts';\nexport interface B { a: A }\n`,
    });
    assert.ok(found.includes(`no-file-cycle: ${R}/ui/a.ts → ${R}/ui/b.ts`), found.join('\n'));
  });

  it('a cycle of folders whose files have none', async () => {
    const found = await violations({
      [`${R}/features/a/index.ts`]: 'export const a = 1;\n',
      [`${R}/features/a/view.ts`]: `import { b } from '../b/index.ts';\nexport const view = b;\n`,
      [`${R}/features/b/index.ts`]: 'export const b = 1;\n',
      [`${R}/features/b/view.ts`]: `import { a } from '../a/index.ts';\nexport const view = a;\n`,
    });
    assert.ok(
      found.includes(`no-folder-cycle: ${R}/features/a → ${R}/features/b`),
      found.join('\n'),
    );
    assert.ok(!found.some((line) => line.startsWith('no-file-cycle')), found.join('\n'));
  });

  it('a feature that imports past the interface of another', async () => {
    const found = await violations({
      [`${R}/features/a/view.ts`]: `import { b } from '../b/inside.ts';\nexport const view = b;\n`,
      [`${R}/features/b/inside.ts`]: 'export const b = 1;\n',
    });
    assert.deepEqual(found, [
      `feature-by-its-face: ${R}/features/a/view.ts → ${R}/features/b/inside.ts`,
    ]);
  });

  it('a shell that imports past the interface of a feature', async () => {
    const found = await violations({
      [`${R}/shell/App.ts`]: `import { b } from '../features/b/state.ts';\nexport const app = b;\n`,
      [`${R}/features/b/state.ts`]: 'export const b = 1;\n',
    });
    assert.deepEqual(found, [`shell-mounts-views: ${R}/shell/App.ts → ${R}/features/b/state.ts`]);
  });

  it('a page that imports more of the engine than the contract', async () => {
    const found = await violations({
      [`${R}/platform/a.ts`]: `import type { E } from '../../engine/e.ts';\nexport type A = E;\n`,
      'src/engine/e.ts': 'export type E = 1;\n',
    });
    assert.deepEqual(found.toSorted(), [
      `engine-by-its-face: ${R}/platform/a.ts → src/engine/e.ts`,
      `renderer-stands-on-shared: ${R}/platform/a.ts → src/engine/e.ts`,
    ]);
  });

  it('an import of a missing file', async () => {
    const found = await violations({ [`${R}/ui/a.ts`]: `import './gone.ts';\n` });
    assert.deepEqual(found, [`no-unresolved-import: ${R}/ui/a.ts → ./gone.ts`]);
  });

  it('a check for updates that the user did not ask for, by an agent for example', async () => {
    const found = await violations({
      'src/mcp/server.ts': `export const check = () => import('../services/updates/check.ts');\n`,
      'src/backend/session.ts': `import '../services/updates/check.ts';\n`,
      'src/backend/updates.ts': `import '../services/updates/check.ts';\n`,
      'src/services/updates/check.ts': 'export const check = 1;\n',
    });
    assert.deepEqual(found.toSorted(), [
      'updates-on-request: src/backend/session.ts → src/services/updates/check.ts',
      'updates-on-request: src/mcp/server.ts → src/services/updates/check.ts',
    ]);
  });
});

describe('the renderer', () => {
  it('obeys the rules and was checked', async () => {
    const { modules, summary } = await look(ROOT, R);
    assert.deepEqual(summary.violations, []);
    const imports = modules.flatMap(({ dependencies }) => dependencies);
    assert.ok(summary.totalCruised > 150, `${summary.totalCruised} modules`);
    // Without type imports, there would be about 900.
    assert.ok(imports.length > 1000, `${imports.length} imports`);
  });
});

describe('the rules for the project and the engine refuse', () => {
  it('an import from a storey above', async () => {
    const found = await violations({
      'src/shared/a.ts': `import type { B } from '../engine/index.ts';\nexport type A = B;\n`,
      'src/engine/index.ts': `export type { B } from './parse/b.ts';\n`,
      'src/engine/parse/b.ts': `import { c } from '../search/c.ts';\nexport type B = typeof c;\n`,
      'src/engine/search/c.ts': `import { d } from '../../services/d.ts';\nexport const c = d;\n`,
      'src/services/d.ts': `export const d = () => import('../cli/e.ts');\n`,
      'src/cli/e.ts': `export const e = () => import('../../lab/f.ts');\n`,
      'lab/f.ts': 'export const f = 1;\n',
    });
    assert.deepEqual(found.toSorted(), [
      'cli-imports-downwards: src/cli/e.ts → lab/f.ts',
      'engine-imports-downwards: src/engine/search/c.ts → src/services/d.ts',
      'parse-imports-downwards: src/engine/parse/b.ts → src/engine/search/c.ts',
      'services-imports-downwards: src/services/d.ts → src/cli/e.ts',
      'shared-imports-downwards: src/shared/a.ts → src/engine/index.ts',
    ]);
  });

  it('a folder of the engine that imports its top module, and a host that imports pages', async () => {
    const found = await violations({
      'src/engine/parse/a.ts': `import { open } from '../repository.ts';\nexport const a = open;\n`,
      'src/engine/repository.ts': 'export const open = 1;\n',
      'src/server/b.ts': `import { c } from '../renderer/ui/c.ts';\nexport const b = c;\n`,
      [`${R}/ui/c.ts`]: 'export const c = 1;\n',
    });
    assert.deepEqual(found.toSorted(), [
      'engine-is-joined-at-the-top: src/engine/parse/a.ts → src/engine/repository.ts',
      `no-host-knows-the-renderer: src/server/b.ts → ${R}/ui/c.ts`,
    ]);
  });

  it('a step of a search that imports a later step or their top module', async () => {
    const found = await violations({
      'src/engine/search/gather/a.ts': `import type { B } from '../rank/b.ts';\nexport type A = B;\n`,
      'src/engine/search/rank/b.ts': `import type { C } from '../rerank/c.ts';\nexport type B = C;\n`,
      'src/engine/search/rerank/c.ts': `import type { D } from '../explain/d.ts';\nexport type C = D;\n`,
      'src/engine/search/explain/d.ts': `import type { E } from '../search.ts';\nexport type D = E;\n`,
      'src/engine/search/search.ts': 'export type E = 1;\n',
    });
    assert.deepEqual(found.toSorted(), [
      'gather-imports-downwards: src/engine/search/gather/a.ts → src/engine/search/rank/b.ts',
      'rank-imports-downwards: src/engine/search/rank/b.ts → src/engine/search/rerank/c.ts',
      'rerank-imports-downwards: src/engine/search/rerank/c.ts → src/engine/search/explain/d.ts',
      'search-is-joined-at-the-top: src/engine/search/explain/d.ts → src/engine/search/search.ts',
    ]);
  });

  it('an import past the interface of the engine, and one of the interface by the engine itself', async () => {
    const found = await violations({
      'src/services/a.ts': `import { b } from '../engine/index.ts';\nimport { c } from '../engine/parse/c.ts';\nexport const a = [b, c];\n`,
      'src/cli/a.ts': `export const a = () => import('../engine/lab.ts');\n`,
      'src/engine/index.ts': `export { b } from './parse/b.ts';\n`,
      'src/engine/lab.ts': `export { c } from './parse/c.ts';\n`,
      'src/engine/parse/b.ts': 'export const b = 1;\n',
      'src/engine/parse/c.ts': 'export const c = 1;\n',
      'src/engine/repository.ts': `import { b } from './index.ts';\nexport const repository = b;\n`,
    });
    assert.deepEqual(found.toSorted(), [
      'engine-by-its-face: src/cli/a.ts → src/engine/lab.ts',
      'engine-by-its-face: src/services/a.ts → src/engine/parse/c.ts',
      'engine-does-not-use-its-face: src/engine/repository.ts → src/engine/index.ts',
    ]);
  });

  it('a lab that imports past the interfaces of the engine', async () => {
    const found = await violations(
      {
        'lab/a.ts': `import { b } from '../src/engine/lab.ts';\nimport { c } from '../src/engine/parse/c.ts';\nexport const a = [b, c];\n`,
        'src/engine/lab.ts': `export { c as b } from './parse/c.ts';\n`,
        'src/engine/parse/c.ts': 'export const c = 1;\n',
      },
      'lab',
    );
    assert.deepEqual(found, ['lab-by-the-engines-faces: lab/a.ts → src/engine/parse/c.ts']);
  });
});
