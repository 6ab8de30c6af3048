/** Opens a repository for an agent: asks the process that has it open or, if none does, opens it here and answers the others. */
import { ignoring } from '../../base/log.ts';
import type { Repository } from '../../shared/repository.ts';
import type { RepositoryHost } from './answering.ts';
import { createAskedRepository } from './asked-repository.ts';
import { connectEngine, type EngineConnection } from './connect.ts';
import type { EngineEndpoint } from './endpoint.ts';
import { DAEMON, nameRepository, SILENCE_MS } from './protocol.ts';

/** Attempts to ask or replace a process that ends meanwhile. */
const ATTEMPTS = 2;

export interface SharedOpenerOptions {
  dataDirectory: string;
  /** Folder of the repository, without links. */
  root: string;
  openHere: () => Promise<Repository>;
  /** Answers the others while the repository is open here. */
  host: RepositoryHost;
}

export class SharedOpener {
  readonly #options: SharedOpenerOptions;
  /** Socket for other processes; null if it has not opened the repository, or if another one answers. */
  #endpoint: EngineEndpoint | null = null;
  /** True while another process has the repository open, or is about to. */
  isBorrowing = false;

  constructor(options: SharedOpenerOptions) {
    this.#options = options;
  }

  /** Opens the repository. @throws as `openHere` */
  async open(): Promise<Repository> {
    const { root } = this.#options;
    let patienceMs: number | undefined;
    for (let attempt = 0; attempt < ATTEMPTS && !this.#endpoint; attempt++) {
      const connection =
        (await this.#connect(nameRepository(root), patienceMs)) ?? (await this.#connect(DAEMON));
      if (connection) return this.#ask(connection);
      // Listening comes first, so that of several processes that start only one opens it.
      if ((await this.#listen()) !== 'taken') break;
      // Somebody listens who is busy. A second engine would make that worse.
      patienceMs = SILENCE_MS;
    }
    return this.#openAlone();
  }

  /** Returns true if another process has the repository open. */
  async isOpenElsewhere(): Promise<boolean> {
    const connection = this.#endpoint
      ? null
      : await this.#connect(nameRepository(this.#options.root));
    connection?.close();
    return connection !== null;
  }

  /** Lets another process answer. Those that are connected are answered until `close`. */
  handOver(): void {
    this.isBorrowing = true;
    this.#endpoint?.stopListening();
  }

  /** Ends all connections. */
  close(): void {
    this.#endpoint?.close();
    this.#endpoint = null;
  }

  #connect(name: string, patienceMs?: number): Promise<EngineConnection | null> {
    return connectEngine(this.#options.dataDirectory, name, patienceMs);
  }

  #ask(connection: EngineConnection): Repository {
    this.isBorrowing = true;
    return createAskedRepository(connection, this.#options.root, async (isLost) => {
      if (isLost) return this.open();
      await this.#listen();
      return this.#openAlone();
    });
  }

  #openAlone(): Promise<Repository> {
    this.isBorrowing = false;
    return this.#options.openHere();
  }

  /** Listens for other processes, if none does. Without sockets or a folder for them, the repository is used here alone. */
  async #listen(): Promise<'listening' | 'taken' | 'alone'> {
    const { dataDirectory, root, host } = this.#options;
    try {
      // Imported when needed: a process that asks another one does without the engine's code.
      const [{ createEngineMethods }, { EngineEndpoint }] = await Promise.all([
        import('./answering.ts'),
        import('./endpoint.ts'),
      ]);
      const methods = createEngineMethods(host);
      this.#endpoint = await EngineEndpoint.open(dataDirectory, nameRepository(root), methods);
      this.#endpoint?.unref();
      return this.#endpoint ? 'listening' : 'taken';
    } catch (error) {
      ignoring('answer-commands')(error);
      return 'alone';
    }
  }
}
