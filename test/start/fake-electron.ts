/** A package `electron` without its program, and a mirror on this machine that serves the program. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { chooseWindow, type StartHost } from '../../scripts/start/choose-window.ts';
import { type LoopbackHost, type Respond, startLoopbackHost } from '../support/loopback.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { createZip } from '../support/zip.ts';

const VERSION = '99.0.0';
export const ARCHIVE_NAME = `electron-v${VERSION}-${process.platform}-${process.arch}.zip`;
const PROGRAM = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
/** Archive with a script instead of Electron. It has incompressible text, so that a part of it can be sent. */
export const ARCHIVE = createZip([
  { path: PROGRAM, content: '#!/bin/sh\necho "Electron opens $1"\n', mode: 0o755 },
  { path: 'version', content: VERSION },
  { path: 'LICENSES.chromium.html', content: 'license '.repeat(20_000) },
]);
const DIGEST = createHash('sha256').update(ARCHIVE).digest('hex');

export class FakeElectron {
  readonly root = temporaryFolder('locus-electron-');
  readonly folder = join(this.root, 'electron');
  readonly data = join(this.root, 'data');
  #mirror: LoopbackHost | null = null;
  /** Answers the requests for the archive. */
  respond: Respond = (_, response) => response.end(ARCHIVE);

  async start(): Promise<void> {
    this.writePackage();
    this.#mirror = await startLoopbackHost((heard, response) => this.respond(heard, response));
    process.env.ELECTRON_MIRROR = `${this.mirror.origin}/`;
  }

  async close(): Promise<void> {
    delete process.env.ELECTRON_MIRROR;
    await this.#mirror?.close();
    removeFolder(this.root);
  }

  get mirror(): LoopbackHost {
    if (this.#mirror === null) throw new Error('The mirror is not running.');
    return this.#mirror;
  }

  writePackage(checksums: Record<string, string> = { [ARCHIVE_NAME]: DIGEST }): void {
    writeFiles(this.folder, {
      'package.json': JSON.stringify({ name: 'electron', version: VERSION }),
      'checksums.json': JSON.stringify(checksums),
    });
  }

  /** Returns what is in the folder of the package. */
  listFiles(): string[] {
    return readdirSync(this.folder).sort();
  }

  /** Chooses the window as `npm start` does. Returns the program and what was printed. */
  async choose({ args = [], answer, ...host }: Choice = {}): Promise<Chosen> {
    let printed = '';
    const write = (text: string) => {
      printed += text;
      host.onPrinted?.(printed);
      return true;
    };
    const stdin: StartHost['stdin'] = Object.assign(Readable.from([Buffer.from(answer ?? '')]), {
      isTTY: answer !== undefined,
    });
    const program = await chooseWindow({
      env: {
        DISPLAY: ':0',
        LOCUS_DATA_DIR: this.data,
        electron_config_cache: join(this.root, 'cache'),
      },
      args,
      stdin,
      stderr: { write, isTTY: answer !== undefined, columns: 400 },
      signal: new AbortController().signal,
      electronFolder: this.folder,
      backoffMs: 1,
      ...host,
    });
    return { program, printed };
  }
}

interface Choice extends Partial<StartHost> {
  /** Typed line; without it, nobody is at a terminal. */
  answer?: string;
  /** Called after each write with everything that was printed. */
  onPrinted?: (printed: string) => void;
}

interface Chosen {
  program: string | null;
  printed: string;
}
