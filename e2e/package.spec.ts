/** Builds the package with electron-builder and a small stand-in for Electron, and checks what it contains. */
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FromEngine, ToEngine } from '../src/backend/messages.ts';
import type { SearchResponse } from '../src/shared/search.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../test/support/repository.ts';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
/**
 * Text before the fuses in Electron's program. A byte with their version, a byte with their number and one digit for each fuse
 * follow: 1 if it is on, 0 if it is off.
 */
const FUSE_MARKER = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** File or folder in the header of an archive. */
interface ArchiveEntry {
  files?: Record<string, ArchiveEntry>;
  unpacked?: boolean;
  integrity?: { algorithm: string };
}
const findEntry = (header: ArchiveEntry, path: string): ArchiveEntry | undefined =>
  path.split('/').reduce((entry: ArchiveEntry | undefined, name) => entry?.files?.[name], header);

describe('the package', {
  skip: process.platform !== 'linux' && 'it is built only on Linux',
}, () => {
  let folder: string;
  let packageFolder: string;
  let resources: string;

  before(() => {
    folder = temporaryFolder('locus-package-');
    const electron = join(folder, 'electron');
    writeFiles(electron, {
      electron: `\x7fELF${FUSE_MARKER}\x01\x09111111111`,
      LICENSE: '',
      'LICENSES.chromium.html': '',
      version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies
        .electron,
      'locales/en-US.pak': '',
    });
    execFileSync(
      process.execPath,
      [
        require.resolve('electron-builder/cli.js'),
        '--linux',
        'dir',
        `-c.electronDist=${electron}`,
        `-c.directories.output=${join(folder, 'dist')}`,
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    packageFolder = join(folder, 'dist/linux-unpacked');
    resources = join(packageFolder, 'resources');
  });
  after(() => removeFolder(folder));

  it('has its fuses set', () => {
    const program = readFileSync(join(packageFolder, 'locus'), 'latin1');
    const states = program.slice(program.indexOf(FUSE_MARKER) + FUSE_MARKER.length + 2);
    // The fuses in order: the program runs as Node, encrypts cookies, accepts NODE_OPTIONS, accepts --inspect, checks the archive's
    // integrity, loads only the archive, uses a V8 snapshot of its own (either state), and gives `file:` pages more privileges.
    assert.match(states, /^010011.0/);
  });

  it('has the main process, the preload script and the pages in the archive, with hashes', () => {
    const header: ArchiveEntry = require('@electron/asar').getRawHeader(
      join(resources, 'app.asar'),
    ).header;
    for (const path of [
      'package.json',
      'out/main/index.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
    ]) {
      const entry = findEntry(header, path);
      assert.equal(entry?.unpacked, undefined, path);
      assert.equal(entry?.integrity?.algorithm, 'SHA256', path);
    }
    assert.equal(findEntry(header, 'test'), undefined);
    assert.equal(findEntry(header, 'src/main'), undefined);
  });

  it('has the licenses of all its components', () => {
    assert.match(readFileSync(join(resources, 'LICENSE'), 'utf8'), /MIT License/);
    const notices = readFileSync(join(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const manifests = globSync('app.asar.unpacked/node_modules/{*,@*/*}/package.json', {
      cwd: resources,
    }).map((path) => JSON.parse(readFileSync(join(resources, path), 'utf8')));
    assert.ok(manifests.length > 10);
    for (const { name, version, license } of manifests) {
      assert.ok(notices.includes(`\n${name} ${version} (${license})\n`), name);
    }
    assert.ok(notices.includes('\nmonaco-editor '), 'packages that are bundled into the pages');
    assert.match(notices, /\ncoret-1 \S+ \(Apache-2\.0\)\n/);
  });

  it('has an engine that finds its models, grammar, native modules and sample', {
    timeout: 60_000,
  }, async () => {
    const unpacked = join(resources, 'app.asar.unpacked');
    assert.ok(existsSync(join(unpacked, 'package.json')));
    const engine = fork(
      join(unpacked, 'src/backend/node.ts'),
      [JSON.stringify({ dataDir: join(folder, 'data') })],
      { serialization: 'advanced', execArgv: [] },
    );
    const send = (message: ToEngine) => engine.send(message);
    const ask = (id: number, method: string, params: object) =>
      send({ type: 'message', client: '1', text: JSON.stringify({ id, method, params }) });
    const response = new Promise<SearchResponse>((resolve, reject) => {
      engine.once('exit', () => reject(new Error('the engine ended')));
      engine.on('message', ({ text }: FromEngine) => {
        const { event, id, data, result, error } = JSON.parse(text);
        if (error) reject(new Error(error.message));
        if (event === 'welcome') ask(1, 'repository.open', { root: data.sample.root });
        if (event === 'indexing' && data.state.phase === 'failed') {
          reject(new Error(data.state.failure.message));
        }
        if (event === 'indexing' && data.state.phase === 'current') {
          const issue = 'a failing job waits longer than max_delay with jitter';
          ask(2, 'search', { repository: data.repository, request: { issue } });
        }
        if (id === 2) resolve(result);
      });
    });
    send({ type: 'connect', client: '1', allowedRoot: null });
    try {
      const { partial, results } = await response;
      assert.equal(partial, null, 'the ranking is final');
      const paths = results.slice(0, 5).map(({ path }) => path);
      assert.ok(paths.includes('tasklane/retry.py'), paths.join(' '));
    } finally {
      engine.kill();
    }
  });
});
