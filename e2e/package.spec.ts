/** The package of electron-builder, with a small stand-in for Electron. */
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
/** Text that precedes the fuses in the program: version, number and states follow. */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Entry in the header of an archive. */
interface Folder {
  files?: Record<string, Folder>;
  unpacked?: boolean;
  integrity?: { algorithm: string };
}
const entryAt = (header: Folder, path: string): Folder | undefined =>
  path.split('/').reduce((at: Folder | undefined, name) => at?.files?.[name], header);

describe('the package', { skip: process.platform !== 'linux' && 'it is made on Linux' }, () => {
  let folder: string;
  let resources: string;

  before(() => {
    folder = temporaryFolder('locus-package-');
    const electron = join(folder, 'electron');
    writeFiles(electron, {
      electron: `\x7fELF${FUSES}\x01\x09111111111`,
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
    resources = join(folder, 'dist/linux-unpacked/resources');
  });
  after(() => removeFolder(folder));

  it('has its fuses set', () => {
    const program = readFileSync(join(folder, 'dist/linux-unpacked/locus'), 'latin1');
    const states = program.slice(program.indexOf(FUSES) + FUSES.length + 2);
    // Run as Node, cookies encrypted, NODE_OPTIONS, --inspect, integrity, only from the archive, -, file: privileges.
    assert.match(states, /^010011.0/);
  });

  it('keeps main process, preload script and pages in the archive, which is checked for integrity', () => {
    const header: Folder = require('@electron/asar').getRawHeader(
      join(resources, 'app.asar'),
    ).header;
    for (const path of [
      'package.json',
      'out/main/index.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
    ]) {
      const entry = entryAt(header, path);
      assert.equal(entry?.unpacked, undefined, path);
      assert.equal(entry?.integrity?.algorithm, 'SHA256', path);
    }
    assert.equal(entryAt(header, 'test'), undefined);
    assert.equal(entryAt(header, 'src/main'), undefined);
  });

  it('has the licenses of all its components', () => {
    assert.match(readFileSync(join(resources, 'LICENSE'), 'utf8'), /MIT License/);
    const notices = readFileSync(join(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const packed = globSync('app.asar.unpacked/node_modules/{*,@*/*}/package.json', {
      cwd: resources,
    }).map((path) => JSON.parse(readFileSync(join(resources, path), 'utf8')));
    assert.ok(packed.length > 10);
    for (const { name, version, license } of packed) {
      assert.ok(notices.includes(`\n${name} ${version} (${license})\n`), name);
    }
    assert.ok(notices.includes('\nmonaco-editor '), 'what is bundled, too');
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
    const found = new Promise<SearchResponse>((resolve, reject) => {
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
      const { partial, results } = await found;
      assert.equal(partial, null, 'everything is encoded');
      const paths = results.slice(0, 5).map(({ path }) => path);
      assert.ok(paths.includes('tasklane/retry.py'), paths.join(' '));
    } finally {
      engine.kill();
    }
  });
});
