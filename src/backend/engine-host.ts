/** What both entries of the engine's process do: one session for all windows, begun with the first of them. */

import { dataDirectory } from '../services/locations.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { refuse } from './refusal.ts';
import type { EngineSession, SessionOptions } from './session.ts';
import { startSession } from './start-session.ts';

/** `SessionOptions` come as JSON in the process's first argument. */
export class EngineHost {
  readonly #options = JSON.parse(process.argv[2] ?? '{}') as SessionOptions;
  #session: EngineSession | null = null;
  #stopping = false;

  /** What keeps a session from beginning may be gone when a window is loaded again. */
  connect(channel: Channel, allowedRoot: string | null): void {
    try {
      this.#session ??= startSession(this.#options);
      this.#session.connect(channel, { allowedRoot });
    } catch (error) {
      console.error('locus: the engine cannot start:', error);
      refuse(channel, error, dataDirectory(this.#options.dataDir));
    }
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#session?.close();
    process.exit(0);
  }
}
