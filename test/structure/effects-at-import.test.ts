import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { effectsInWindow, findEffectsAtImport } from '../../scripts/effects-at-import.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

describe('effects at import, each found once', () => {
  for (const [code, name] of [
    ["engine.on('indexing', () => {});", 'on'],
    ['useApp.subscribe(({ repository }) => repository);', 'subscribe'],
    ['onRepositoryChange(() => clear());', 'onRepositoryChange'],
    ["window.addEventListener('focus', refresh);", 'addEventListener'],
    ['const stop = keepView(() => () => {});', 'keepView'],
    ["export const stop = { engine: engine.on('note', add) };", 'on'],
    ['void followIndex();', 'followIndex'],
    ['await load();', 'load'],
    ['for (const type of TYPES) window.addEventListener(type, look);', 'addEventListener'],
    ['registerCommands([]);', 'registerCommands'],
  ] as const) {
    it(code, () => assert.deepEqual(findEffectsAtImport(code), [name]));
  }
});

describe('a module', () => {
  it('may create values and functions at import', () => {
    const code = `
      import './styles.css';
      export const useNotes = create<{ editing: string | null }>(() => ({ editing: null }));
      const Panel = lazy(() => import('./Panel.tsx'));
      export const start = (): Stop => stopAll(engine.on('note', add), registerCommands(COMMANDS));
      export function follow() { return useNotes.subscribe(() => {}); }
      class Place { constructor() { listen('focus', look); } }
    `;
    assert.deepEqual(findEffectsAtImport(code), []);
  });
});

describe('the window', () => {
  it('has no effects at import, except in its entry', () => {
    const { effects, files } = effectsInWindow(join(import.meta.dirname, '../..'));
    assert.deepEqual(effects, []);
    assert.ok(files > 100, `${files} files`);
  });

  it('is refused when one of its files subscribes', () => {
    const root = temporaryFolder();
    try {
      writeFiles(root, {
        'src/renderer/main.tsx': 'startWindow();\n',
        'src/renderer/features/a/a.ts': "engine.on('note', add);\n",
      });
      const { effects } = effectsInWindow(root);
      assert.deepEqual(effects, ['src/renderer/features/a/a.ts: on']);
    } finally {
      removeFolder(root);
    }
  });
});
