/**
 * Requests, answers and events as texts over a channel, similar to JSON-RPC:
 *
 *   client -> engine   {"id": 7, "method": "search", "params": {…}}     {"cancel": 7}
 *   engine -> client   {"id": 7, "result": …}   {"id": 7, "error": {…}}   {"event": "progress", "data": {…}}
 *
 * The engine's first message to a client is the event `welcome`. Requests may be sent again after a lost connection, so
 * each must be idempotent: the client that creates an object also chooses its id.
 */
import type { Failure } from '../errors.ts';
import { MAX_ISSUE } from '../limits.ts';

/** Maximum length of a message from a client, in characters: room for any issue, whose characters may each be escaped as six. */
export const MAX_MESSAGE = 6 * MAX_ISSUE + 2_000_000;

/** A two-way stream of texts, which arrive complete and in order until it closes. */
export interface Channel {
  post(text: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

export type EngineMessage =
  | { id: number; result: unknown }
  /** `id` is null if the message was too damaged to contain one. */
  | { id: number | null; error: Failure }
  | { event: string; data: unknown };

/** Methods by name, with their parameters (before validation) and results. */
export type Methods = Record<string, { params: unknown; result: unknown }>;

/**
 * Returns the answer to a message longer than `MAX_MESSAGE`, without parsing the message; null if it is not too long. Relays
 * use it to reject messages before they reach the engine.
 */
export function refuseOversized(text: string): string | null {
  if (text.length <= MAX_MESSAGE) return null;
  const id = /^\s*\{\s*"id"\s*:\s*(\d{1,15})\b/.exec(text.slice(0, 100))?.[1];
  const error: Failure = {
    code: 'bad-input',
    message: `The message is too large: ${text.length} of at most ${MAX_MESSAGE} characters.`,
    remedy: 'Send less at a time.',
  };
  return JSON.stringify({ id: id === undefined ? null : Number(id), error });
}
