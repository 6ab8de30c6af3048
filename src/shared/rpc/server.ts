/** The server side of RPC: validates requests, calls handlers and answers. No message of a client can make it throw. */
import { z } from 'zod';
import { assertPresent } from '../assert-present.ts';
import { badInput, type Failure, toFailure } from '../errors.ts';
import { type Channel, type EngineMessage, type Methods, refuseOversized } from './messages.ts';

const clientMessage = z.union([
  z.object({ id: z.int().min(0), method: z.string().max(100), params: z.unknown().optional() }),
  z.object({ cancel: z.int().min(0) }),
]);

export type Handlers<Schemas extends Record<string, z.ZodType>, M extends Methods> = {
  [Name in keyof Schemas & keyof M]: (
    params: z.output<Schemas[Name]>,
    signal: AbortSignal,
  ) => [M[Name]['result']] extends [null] ? void : Promise<M[Name]['result']> | M[Name]['result'];
};

export interface ServedChannel<Events = Record<string, unknown>> {
  emit<Name extends keyof Events & string>(event: Name, data: Events[Name]): void;
  /** Cancels running requests and sends no more messages. */
  close(): void;
}

/**
 * Answers requests on `channel` until it closes. Calls `handlers[method]` with validated parameters and a signal that aborts
 * if the client cancels or disconnects. An error that the handler throws becomes the answer.
 *
 * @param onFailure called with every error that is sent as an answer.
 */
export function serve<
  Schemas extends Record<string, z.ZodType>,
  M extends Methods,
  Events = Record<string, unknown>,
>(
  channel: Channel,
  schemas: Schemas,
  handlers: Handlers<Schemas, M>,
  onFailure: (error: unknown, method: string) => void = () => {},
): ServedChannel<Events> {
  const running = new Map<number, AbortController>();
  let open = true;

  channel.onMessage((text) => {
    const refusal = refuseOversized(text);
    if (refusal !== null) channel.post(refusal);
    else receive(text);
  });
  channel.onClose(close);
  return { emit: (event, data) => post({ event, data }), close };

  function receive(text: string): void {
    const message = parseMessage(text);
    if ('error' in message) post({ id: message.id, error: message.error });
    else if ('cancel' in message) running.get(message.cancel)?.abort();
    else answer(message.id, message.method, message.params);
  }

  async function answer(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const result = await call(method, params, controller.signal);
      post({ id, result: result ?? null });
    } catch (error) {
      onFailure(error, method);
      post({ id, error: toFailure(error) });
    } finally {
      if (running.get(id) === controller) running.delete(id);
    }
  }

  async function call(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const schema = Object.hasOwn(schemas, method) ? schemas[method] : undefined;
    if (!schema) {
      throw badInput(`The method “${method}” does not exist.`, 'Update Locus.');
    }
    const parsed = schema.safeParse(params ?? {});
    if (!parsed.success) {
      const { path, message } = assertPresent(parsed.error.issues[0], 'what a schema found');
      const field = [method, ...path].join('.');
      throw badInput(`Invalid value for ${field}: ${message}.`, 'Correct it and try again.');
    }
    const handler = handlers[method] as (params: unknown, signal: AbortSignal) => unknown;
    return handler(parsed.data, signal);
  }

  function post(message: EngineMessage): void {
    if (open) channel.post(JSON.stringify(message));
  }

  function close(): void {
    open = false;
    for (const controller of running.values()) controller.abort();
  }
}

function parseMessage(
  text: string,
): z.output<typeof clientMessage> | { id: number | null; error: Failure } {
  const bad = (id: number | null, message: string) => ({
    id,
    error: { code: 'bad-input' as const, message, remedy: 'Send {"id", "method", "params"}.' },
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(null, `The message is not JSON: ${(error as Error).message}.`);
  }
  const message = clientMessage.safeParse(value);
  if (message.success) return message.data;
  const id = (value as { id?: unknown } | null)?.id;
  return bad(Number.isSafeInteger(id) ? (id as number) : null, 'The message is not a request.');
}
