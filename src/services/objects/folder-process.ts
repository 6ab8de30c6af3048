/** Keeps Locus responsive when a folder does not answer, as on a stalled network drive. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { linkProcess, WorkerClient } from '../../base/worker-client.ts';
import type { FolderMethods } from './folder-server.ts';
import { checkKey, createObjectError, type GetOptions, type ObjectStore } from './objects.ts';

/**
 * Reads and writes the objects of a folder in a separate process. A system call that never returns blocks its thread. In this
 * process, it would block the threads for all file access and keep the process from exiting. A stuck child process is left behind.
 */
export class FolderProcess implements ObjectStore {
  readonly name: string;
  readonly #expected: boolean;
  #client: WorkerClient<FolderMethods> | null = null;

  constructor(folder: string, { expected = false } = {}) {
    this.name = folder;
    this.#expected = expected;
  }

  async get(key: string, { maxBytes, signal, onBytes }: GetOptions = {}) {
    const options = { ...this.#nameCall(key, signal), onPart: onBytes };
    const found = await this.#start().call('get', { key, maxBytes }, options);
    if (!found) return null;
    const { bytes, tag } = found;
    return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), tag };
  }

  async size(key: string, signal?: AbortSignal): Promise<number | null> {
    return this.#start().call('size', { key }, this.#nameCall(key, signal));
  }

  async put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    return this.#start().call('put', { key, bytes, expected }, this.#nameCall(key, signal));
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.#start().call('delete', { key }, this.#nameCall(key, signal));
  }

  /** Kills the process: if it is stuck, it cannot be asked to end. */
  close(): void {
    this.#client?.killWithoutWaiting(this.#explainEnd());
    this.#client = null;
  }

  #nameCall(key: string, signal: AbortSignal | undefined) {
    return { signal, name: `The transfer of ${checkKey(key)}` };
  }

  #start(): WorkerClient<FolderMethods> {
    if (this.#client) return this.#client;
    const script = fileURLToPath(new URL('./folder-server.ts', import.meta.url));
    const child = fork(script, [this.name, ...(this.#expected ? ['expected'] : [])], {
      execArgv: [],
      serialization: 'advanced',
      // Otherwise, readers of Locus' output would wait for an abandoned process.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const client = new WorkerClient<FolderMethods>(linkProcess(child), {
      explainEnd: () => this.#explainEnd(),
      onEnd: () => {
        if (this.#client === client) this.#client = null;
      },
    });
    this.#client = client;
    return client;
  }

  #explainEnd() {
    return createObjectError(
      `The process that reads ${this.name} ended unexpectedly.`,
      'Try again. If it ends again, check the drive.',
    );
  }
}
