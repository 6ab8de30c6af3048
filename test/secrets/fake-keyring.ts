/**
 * Replaces `@napi-rs/keyring` in every process started with `NODE_OPTIONS=--import=<this file>`. The folder in FAKE_KEYRING holds
 * a file for each entry, and the names of its defects.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

const { FAKE_KEYRING: folder = '' } = process.env;
const does = (what: string) => existsSync(join(folder, what));

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== '@napi-rs/keyring') return next(specifier, context);
    if (does('missing')) throw new Error('Cannot find native binding.');
    return { url: import.meta.url, shortCircuit: true };
  },
});

export class Entry {
  readonly #account: string;
  readonly #path: string;

  constructor(service: string, account: string) {
    this.#account = `${service}/${account}`;
    this.#path = join(folder, `entry ${encodeURIComponent(this.#account)}`);
    if (does('unreachable')) throw new Error('Platform failure: no such bus\nsecond line');
    if (does('hang')) hang();
  }

  getSecret(): number[] | null {
    if (this.#account === 'Locus/reachable') return null;
    this.#begin('get');
    return existsSync(this.#path) ? [...readFileSync(this.#path)] : null;
  }

  setSecret(secret: Uint8Array): void {
    this.#begin('set');
    if (!does('forget')) {
      // Processes that store entries at the same time do not disturb each other, as in a real keychain.
      const temporary = join(folder, `${process.pid}.tmp`);
      writeFileSync(temporary, secret);
      renameSync(temporary, this.#path);
    }
    this.#end('set');
  }

  deleteCredential(): boolean {
    this.#begin('delete');
    const isThere = existsSync(this.#path);
    if (!does('forget')) rmSync(this.#path, { force: true });
    this.#end('delete');
    return isThere;
  }

  #begin(call: string): void {
    if (does(`hang-${call}`)) hang();
    if (does(`kill-before-${call}`)) killParent();
    if (does(`throw-${call}`)) {
      const contents = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
      throw new Error(`${call} of ${contents.join()} is locked`);
    }
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
