import { fileURLToPath } from 'node:url';
import type { FromEngine, ToEngine } from '../backend/messages.ts';
import type { SessionOptions } from '../backend/session.ts';
import { type ForkedChild, forkChild } from './child.ts';

const ENTRY = fileURLToPath(new URL('../backend/node.ts', import.meta.url));

/** The engine as a child process. */
export type ForkedEngine = ForkedChild<ToEngine, FromEngine>;

export function forkEngine(options: SessionOptions): ForkedEngine {
  return forkChild<ToEngine, FromEngine>(ENTRY, [JSON.stringify(options)]);
}
