/** Says in words why a server of a language model did not answer. */

import { z } from 'zod';
import { parseJsonOrNull, parseRetryAfter } from '../../base/http.ts';
import type { Endpoint } from '../../shared/check-endpoint.ts';
import { EndpointFailure } from './client.ts';

/** Longest wait that a server may ask for. */
const MAX_WAIT_MS = 30_000;
/** Characters of a refusal that are searched for the names of parameters. */
const MAX_REFUSAL = 4_000;

/** A server, and what it was asked with. */
export interface AskedServer {
  endpoint: Endpoint;
  model: string;
  /** API key, which a server may repeat. */
  key: string | null;
}

/** Returns the failure of a response with a status that is no success. */
export function explainStatus(
  response: Response,
  body: string,
  { endpoint: { host }, model, key }: AskedServer,
): EndpointFailure {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return new EndpointFailure(
      `${host} redirects to another address, which Locus does not follow.`,
      'If you trust the new address, use it instead.',
    );
  }
  if (status === 401 || status === 403) {
    return new EndpointFailure(
      `${host} denied access (status ${status}).`,
      key === null
        ? 'Enter an API key in the settings of the check, or set LOCUS_CHECK_API_KEY.'
        : 'Check the API key.',
    );
  }
  if (status === 408 || status === 429 || status >= 500) {
    const wait = parseRetryAfter(response.headers.get('retry-after'));
    const what = status === 429 ? 'has received too many requests' : 'is not available now';
    return new EndpointFailure(`${host} ${what} (status ${status}).`, 'Try again later.', {
      retryAfter: wait > MAX_WAIT_MS ? null : wait,
    });
  }
  const said = quoteServer(readErrorMessage(parseJsonOrNull(body)) ?? '', key);
  if (status === 404) {
    const remedy = `Check the address, which usually ends in /v1, and the model “${model}”.`;
    return new EndpointFailure(`${host} does not know this address or model${said}.`, remedy);
  }
  return new EndpointFailure(
    `${host} rejected the request (status ${status})${said}.`,
    'Check the model. If the text was too long for it, send fewer results or characters.',
    status === 400 || status === 422 ? { refusal: body.slice(0, MAX_REFUSAL) } : {},
  );
}

const errorBody = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((e) => e.message)]),
});

/** Returns the message of a server's error in JSON, which may be in a list; null if the JSON is not an error. */
export function readErrorMessage(json: unknown): string | null {
  return errorBody.safeParse(Array.isArray(json) ? json[0] : json).data?.error ?? null;
}

/** Returns words of a server as the end of a sentence: one short line, without the key if it repeats it, and without a full stop. */
function quoteServer(text: string, key: string | null): string {
  const line = (key ? text.replaceAll(key, '…') : text).replace(/\s+/g, ' ').trim();
  return line === '' ? '' : `: ${line.slice(0, 200).replace(/\.$/, '')}`;
}

/** Returns the failure of a connection that could not be opened, or that broke. */
export function explainConnection(error: unknown, { host, isLocal }: Endpoint): EndpointFailure {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  const refused = code === 'ECONNREFUSED';
  return new EndpointFailure(
    refused
      ? `Nothing answers at ${host}.`
      : `The connection to ${host} failed${code ? ` (${code})` : ''}.`,
    isLocal
      ? 'Start the model’s server, or correct the address.'
      : 'Check the network and the address.',
    { retryAfter: refused || code === 'ENOTFOUND' ? null : 0 },
  );
}

/** Returns the failure of an answer in the middle of which nothing more arrived. */
export const explainStall = ({ host }: Endpoint, stallMs: number): EndpointFailure =>
  new EndpointFailure(
    `${host} stopped in the middle of its answer: nothing arrived for ${stallMs / 1000} seconds.`,
    'Check that its machine is not overloaded, then retry.',
  );

/** Returns the failure of a streamed answer that ended without its last event. */
export const explainCut = ({ host }: Endpoint): EndpointFailure =>
  new EndpointFailure(`The answer of ${host} was cut off.`, 'Retry.', { retryAfter: 0 });

/** Returns the failure of an answer that reached a limit of tokens. */
export const explainLimit = ({ host }: Endpoint): EndpointFailure =>
  new EndpointFailure(
    `The answer of ${host} was cut off at its limit of tokens.`,
    'Raise the limit in the settings of the server, or choose a model that thinks less.',
  );

/** Returns the failure of an answer that is too large. */
export const explainSize = ({ host }: Endpoint, maxBytes: number): EndpointFailure =>
  new EndpointFailure(
    `The answer of ${host} is larger than ${maxBytes / 1e6} MB.`,
    'Check that the address is that of a chat model.',
  );

/** Returns the failure of an answer that is no chat completion. */
export const explainForm = ({ host }: Endpoint): EndpointFailure =>
  new EndpointFailure(
    `${host} did not answer with a chat completion.`,
    'Check the address: it usually ends in /v1.',
  );

/** Returns the failure of an answer in which the server reports an error. */
export const explainError = (
  { endpoint: { host }, key }: AskedServer,
  words: string,
  retryAfter: number | null,
): EndpointFailure =>
  new EndpointFailure(
    `${host} reported an error${quoteServer(words, key)}.`,
    'Retry, or look into the log of the server.',
    { retryAfter },
  );

/** Returns the failure of a model that declines to answer, in its words. */
export const explainRefusal = (
  { endpoint: { host }, key }: AskedServer,
  words: string,
): EndpointFailure =>
  new EndpointFailure(
    `The model of ${host} declined to answer${quoteServer(words, key)}.`,
    'Choose another model.',
  );
