import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  assertLoads,
  LOADED_LIMITS,
  type LoadedModule,
  recordModules,
} from '../support/loaded-code.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PROJECT = pathToFileURL(inProject('')).href;
const SEARCH = ['search', inProject('demo/repository'), '--fast', 'retries wait too long'];

let folder: string;
before(() => {
  folder = temporaryFolder();
});
after(() => removeFolder(folder));

const record = (script: string, ...args: string[]): LoadedModule[][] =>
  recordModules([process.execPath, inProject(script), ...args], {
    ...process.env,
    LOCUS_DATA_DIR: folder,
  });

const listPaths = (threads: readonly LoadedModule[][]): string[] =>
  threads.flat().map(({ url }) => url.replace(PROJECT, ''));

describe('the modules of a search in an unchanged repository', () => {
  let loaded: string[];
  before(() => {
    record('src/cli/entry.ts', ...SEARCH);
    loaded = listPaths(record('src/cli/entry.ts', ...SEARCH));
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

describe('a command of the checkout', () => {
  // The build is made by the first command.
  before(() => record('src/cli/locus.ts', ...SEARCH));

  it('loads little for the version and the help', () => {
    assertLoads(record('src/cli/locus.ts', '--version'), LOADED_LIMITS.version);
    assertLoads(record('src/cli/locus.ts', '--help'), LOADED_LIMITS.help);
  });

  it('loads little to search an unchanged repository, and all of it from the build', () => {
    const threads = record('src/cli/locus.ts', ...SEARCH);
    assertLoads(threads, LOADED_LIMITS.search);
    const sources = listPaths(threads).filter((path) => path.startsWith('src/'));
    assert.deepEqual(sources, ['src/cli/locus.ts', 'src/base/shared-compile-cache.ts']);
    assert.ok(threads.length > 1, 'threads are counted too');
  });
});
