/** Processes with and without a keychain, on one data directory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/repository.ts';

export interface Outcome {
  result?: string | null;
  error?: { code: string; message: string; remedy: string };
  /** True if the process was killed. */
  killed?: true;
}

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'fake-keyring.ts')).href;
const ACT = join(import.meta.dirname, 'act.ts');

/** Environment of a process without a keychain. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const {
    DBUS_SESSION_BUS_ADDRESS: _bus,
    XDG_RUNTIME_DIR: _runtime,
    LOCUS_KEYCHAIN: _use,
    ...env
  } = process.env;
  return env;
}

/** A folder with a data directory and a keychain. */
export class Place {
  readonly folder = temporaryFolder();
  readonly dataDir = join(this.folder, 'data');
  readonly #keychain = join(this.folder, 'keychain');

  constructor() {
    for (const folder of [this.dataDir, this.#keychain]) mkdirSync(folder);
  }

  /** Environment of a process with the keychain. */
  get env(): NodeJS.ProcessEnv {
    return {
      ...bareEnvironment(),
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
      FAKE_KEYRING: this.#keychain,
      NODE_OPTIONS: `--import=${PRELOAD}`,
    };
  }

  /** Runs an action in a process with the keychain. */
  withKeychain(action: string, secret = '', env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return act(this.dataDir, action, secret, { ...this.env, ...env });
  }

  /** Runs an action in a process without a keychain, as over SSH. */
  withoutKeychain(action: string, secret = '', env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return act(this.dataDir, action, secret, { ...bareEnvironment(), ...env });
  }

  /** Gives the keychain a defect of `fake-keyring.ts` while `work` runs. */
  async whileKeychain<T>(does: string, work: () => Promise<T>): Promise<T> {
    writeFileSync(join(this.#keychain, does), '');
    try {
      return await work();
    } finally {
      rmSync(join(this.#keychain, does));
    }
  }

  /** Secrets in the keychain, by account. */
  get entries(): Record<string, string> {
    const names = readdirSync(this.#keychain).filter((name) => name.startsWith('entry '));
    return Object.fromEntries(
      names.map((name) => [
        decodeURIComponent(name.slice('entry '.length)),
        readFileSync(join(this.#keychain, name), 'utf8'),
      ]),
    );
  }

  /** Returns all files of the data directory as one text. */
  get files(): string {
    const found = readdirSync(this.dataDir, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
      .join('\n');
  }
}

export async function act(
  dataDir: string,
  action: string,
  secret: string,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const args = [ACT, dataDir, action, secret];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = text(child.stdout);
  const [, signal] = await once(child, 'close');
  return signal === null ? JSON.parse(await printed) : { killed: true };
}
