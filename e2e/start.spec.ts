/** `npm start`, with stand-ins for Electron. `test/start` has the offer to download it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { removeFolder, temporaryFolder, writeFiles } from '../test/support/repository.ts';

const root = join(import.meta.dirname, '..');
const skip = process.platform === 'win32' && 'the stand-ins are scripts';
/** Paths of Electron's program: on Linux, and on macOS if Electron is installed. */
const PROGRAMS = ['electron', 'Electron.app/Contents/MacOS/Electron'];
const STAND_INS = {
  works: '#!/bin/sh\necho "opens $1 with $2"\n',
  broken: '#!/bin/sh\nkill -TRAP $$\n',
  foreign: '#!/missing/loader\n',
};

describe('npm start', { skip }, () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder('locus-start-');
    for (const [name, text] of Object.entries(STAND_INS))
      for (const program of PROGRAMS) {
        writeFiles(folder, { [`${name}/${program}`]: text });
        chmodSync(join(folder, name, program), 0o755);
      }
  });
  after(() => removeFolder(folder));

  /** Runs `npm start` until it ends or the server listens. Returns what was printed. */
  async function start(electron: string, ...args: string[]): Promise<string> {
    const child = spawn(process.execPath, [join(root, 'scripts/start.ts'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        DISPLAY: ':0',
        LOCUS_DATA_DIR: join(folder, 'data'),
        ELECTRON_OVERRIDE_DIST_PATH: join(folder, electron),
      },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    const ended = once(child, 'exit');
    while (!/http:\/\/127/.test(printed) && child.exitCode === null)
      await Promise.race([once(child.stdout, 'data'), ended]);
    child.kill();
    await ended;
    return printed;
  }
  const startInBrowser = (electron: string, ...args: string[]) =>
    start(electron, '--no-open', '--port', '0', ...args);

  it('opens the desktop app with the given folder', async () => {
    assert.equal(
      await start('works', '/somewhere', '--desktop'),
      `opens ${root} with /somewhere\n`,
    );
  });

  it('opens the browser without Electron, and says why', async () => {
    const printed = await startInBrowser('missing');
    assert.match(
      printed,
      /^locus: Electron is not installed\. npm start -- --desktop downloads it/,
    );
    assert.match(printed, /\nlocus: The app opens in the browser\.\nLocus is running at http/);
  });

  it('opens the browser at once for --browser', async () => {
    assert.match(await startInBrowser('works', '--browser'), /^Locus is running at http/);
  });

  for (const name of ['broken', 'foreign'])
    it(`opens the browser if Electron is ${name}`, async () => {
      const printed = await startInBrowser(name);
      assert.match(
        printed,
        /locus: The desktop app ended with an error, so the app opens in the browser\./,
      );
      assert.match(printed, /Locus is running at http/);
    });
});
