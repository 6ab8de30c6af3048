import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/repository.ts';

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const DEMO = inProject('demo/repository');
const LOADED = 'loaded ';

/** Makes the main thread print the URL of each module that it loads. */
const PRINTS_LOADED = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      process.stderr.write('${LOADED}' + url + '\\n');
      return next(url, context);
    },
  });
`;

let folder: string;
before(async () => {
  folder = temporaryFolder();
  await writeFile(join(folder, 'prints-loaded.mjs'), PRINTS_LOADED);
});
after(() => rm(folder, { recursive: true }));

/** Returns the modules that a command loads, as paths from `src/` or `node_modules/` on. */
function loadedBy(...args: string[]): string[] {
  const hooks = pathToFileURL(join(folder, 'prints-loaded.mjs')).href;
  const started = ['--import', hooks, inProject('src/cli/locus.ts'), ...args];
  const { status, stderr } = spawnSync(process.execPath, started, {
    encoding: 'utf8',
    env: { ...process.env, LOCUS_DATA_DIR: join(folder, 'data') },
  });
  assert.equal(status, 0, stderr);
  return stderr
    .split('\n')
    .filter((line) => line.startsWith(LOADED))
    .map((line) => /(?:src|node_modules)\/.*/.exec(line)?.[0] ?? line);
}

describe('the modules of a search in an unchanged repository', () => {
  let loaded: string[];
  before(() => {
    const search = ['search', DEMO, '--fast', 'retries wait too long'];
    loadedBy(...search);
    loaded = loadedBy(...search);
  });

  it('are those of no other command', () => {
    const commands = loaded.filter((module) => module.startsWith('src/cli/commands/'));
    assert.deepEqual(commands, ['src/cli/commands/search.ts']);
  });

  it('parse nothing: neither code, nor manifests, nor diffs', () => {
    const parsers = /^node_modules\/(?:web-tree-sitter|yaml|smol-toml|diff)\//;
    assert.deepEqual(
      loaded.filter((module) => parsers.test(module)),
      [],
    );
    assert.ok(loaded.some((module) => module.startsWith('node_modules/better-sqlite3/')));
  });
});
