import { handlersFor } from './handlers.ts';
import { EngineSession, type SessionOptions } from './session.ts';

/** A session that answers all that windows may ask. */
export function startSession(options?: SessionOptions): EngineSession {
  return new EngineSession(handlersFor, options);
}
