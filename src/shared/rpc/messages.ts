/**
 * Requests, answers and events as texts over a channel: JSON-RPC in spirit, small enough to read in a minute.
 *
 *   client -> engine   {"id": 7, "method": "search", "params": {…}}     {"cancel": 7}
 *   engine -> client   {"id": 7, "result": …}   {"id": 7, "error": {…}}   {"event": "progress", "data": {…}}
 *
 * The engine's first message to a client is the event `welcome`. Every request may be sent again after a
 * connection was lost, so each one must have the same effect twice as once: who creates a thing gives it its id.
 */
import type { Failure } from '../errors.ts';

/** Characters of one message from a client at most. */
export const MAX_MESSAGE = 8_000_000;

/** A two-way stream of texts that arrive whole and in order until it closes. */
export interface Channel {
  post(text: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

export type EngineMessage =
  | { id: number; result: unknown }
  /** `id` is null when the message was too damaged to tell. */
  | { id: number | null; error: Failure }
  | { event: string; data: unknown };

/** Method names with what they take (as the caller writes it) and what they answer. */
export type Methods = Record<string, { params: unknown; result: unknown }>;

/**
 * The answer to a message that is larger than `MAX_MESSAGE`, made without parsing it; null when it is not.
 * Whoever relays messages can answer so before the engine has to hold them.
 */
export function refuseOversized(text: string): string | null {
  if (text.length <= MAX_MESSAGE) return null;
  const id = /^\s*\{\s*"id"\s*:\s*(\d{1,15})\b/.exec(text.slice(0, 100))?.[1];
  const error: Failure = {
    code: 'bad-input',
    message: `the message is too large: ${text.length} characters of at most ${MAX_MESSAGE}`,
    remedy: 'send less at a time',
  };
  return JSON.stringify({ id: id === undefined ? null : Number(id), error });
}
