/** Keeps a folder that does not answer, as on a stalled network drive, from stalling Locus. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { linkProcess, WorkerClient } from '../../base/worker-client.ts';
import type { FolderMethods } from './folder-server.ts';
import { checkedKey, type GetOptions, type ObjectStore, objectFailure } from './objects.ts';

/**
 * The objects of a folder, read and written by a process of their own. A system call that never returns keeps its thread: here it would
 * take the threads that all file access shares, and keep the process from exiting. There, it is left behind with its process.
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

  /** Kills the process: it may be stuck where it does not notice that it is to end. */
  close(): void {
    this.#client?.leaveBehind(this.#explainEnd());
    this.#client = null;
  }

  #nameCall(key: string, signal: AbortSignal | undefined) {
    return { signal, name: `The transfer of ${checkedKey(key)}` };
  }

  #start(): WorkerClient<FolderMethods> {
    if (this.#client) return this.#client;
    const script = fileURLToPath(new URL('./folder-server.ts', import.meta.url));
    const child = fork(script, [this.name, ...(this.#expected ? ['expected'] : [])], {
      execArgv: [],
      serialization: 'advanced',
      // Whoever reads the output of Locus does not wait for a process that is left behind.
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
    return objectFailure(
      `The process that reads ${this.name} ended.`,
      'Try again. If it ends again, check the drive.',
    );
  }
}
