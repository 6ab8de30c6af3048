/**
 * Replaces `@napi-rs/keyring` in every process started with `NODE_OPTIONS=--import=<this file>`. The folder in FAKE_KEYRING holds
 * its entries, and the names of its defects.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

const { FAKE_KEYRING: folder = '' } = process.env;
const path = join(folder, 'entries.json');
const does = (what: string) => existsSync(join(folder, what));
const entries = (): Record<string, string> =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== '@napi-rs/keyring') return next(specifier, context);
    if (does('missing')) throw new Error('Cannot find native binding.');
    return { url: import.meta.url, shortCircuit: true };
  },
});

export class Entry {
  readonly #account: string;

  constructor(service: string, account: string) {
    this.#account = `${service}/${account}`;
    if (does('unreachable')) throw new Error('Platform failure: no such bus\nsecond line');
    if (does('hang')) hang();
  }

  getSecret(): number[] | null {
    if (this.#account === 'Locus/reachable') return null;
    this.#begin('get');
    const found = entries()[this.#account];
    return found === undefined ? null : [...Buffer.from(found)];
  }

  setSecret(secret: Uint8Array): void {
    this.#begin('set');
    this.#change({ [this.#account]: Buffer.from(secret).toString() });
    this.#end('set');
  }

  deleteCredential(): boolean {
    this.#begin('delete');
    const isThere = this.#account in entries();
    this.#change({ [this.#account]: undefined });
    this.#end('delete');
    return isThere;
  }

  #begin(call: string): void {
    if (does(`hang-${call}`)) hang();
    if (does(`kill-before-${call}`)) killParent();
    if (does(`throw-${call}`)) throw new Error(`${call} of ${JSON.stringify(entries())} is locked`);
  }

  #change(change: Record<string, string | undefined>): void {
    if (!does('forget')) writeFileSync(path, JSON.stringify({ ...entries(), ...change }));
  }

  #end(call: string): void {
    if (does(`kill-after-${call}`)) killParent();
  }
}

/** Never returns. The file tells others that this call hangs. */
function hang(): void {
  writeFileSync(join(folder, 'is-hanging'), '');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function killParent(): void {
  process.kill(process.ppid, 'SIGKILL');
  process.kill(process.pid, 'SIGKILL');
}
