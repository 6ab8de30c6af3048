/** Messages between `locus serve` and the process of its browser host. */
import type { Failure } from '../shared/errors.ts';
import type { ServerAddress, ServerOptions } from './server.ts';

export type ToHost = { type: 'serve'; options: ServerOptions } | { type: 'stop' };

export type FromHost =
  | { type: 'listening'; address: ServerAddress }
  /** The process is of no use: another start would fail in the same way. */
  | { type: 'failed'; failure: Failure };
