/**
 * The verifier: a language model behind an OpenAI-compatible API that judges for each of the best results whether a fix edits
 * it. Off unless an address and a model are set. This file holds what hosts and pages share.
 */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { badInput } from './errors.ts';
import { VERIFIER_RANGES } from './limits.ts';
import { MARK_TITLES, type Mark } from './marks.ts';
import { isLoopback } from './remote-url.ts';

/** Verdicts by the prompt's words, best first: a fix edits the chunk, it helps to understand the fix, or neither. */
export const VERDICTS = ['edit', 'context', 'no'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Mark with the same meaning as a verdict. */
const MARK_BY_VERDICT: Readonly<Record<Verdict, Mark>> = {
  edit: 'edit',
  context: 'read',
  no: 'irrelevant',
};

export const getVerdictTitle = (verdict: Verdict): string => MARK_TITLES[MARK_BY_VERDICT[verdict]];

const within = ([min, max]: readonly [number, number]) => z.int().min(min).max(max);

/** Settings of the verifier, which is off without `address` or `model`. The API key is stored elsewhere, see `VerifierFile`. */
export const verifierSettings = z.object({
  /** Base URL of the API, such as http://127.0.0.1:11434/v1. */
  address: z.string().max(2000).default(''),
  model: z.string().max(300).default(''),
  /** Number of first results that are sent. */
  top: within(VERIFIER_RANGES.top).default(20),
  /** Maximum number of requests per verification, including retries. */
  requests: within(VERIFIER_RANGES.requests).default(8),
  /** Maximum number of characters sent per verification, in all requests together. */
  characters: within(VERIFIER_RANGES.characters).default(240_000),
  /** Time limit of one request in seconds. */
  seconds: within(VERIFIER_RANGES.seconds).default(120),
});
export type VerifierSettings = z.output<typeof verifierSettings>;
export const VERIFIER_DEFAULTS: VerifierSettings = verifierSettings.parse({});

/** Maximum number of characters sent of an issue and of a chunk's code. Longer ones lose their middle. */
export const MAX_SENT = { issue: 12_000, code: 4000 } as const;

/** Number of further results that may be sent if the fix edits none of the first. */
export const MAX_EXTRA_CHUNKS = 20;

/** Estimates the number of tokens, since users pay by the token. */
export const approximateTokens = (characters: number): number => Math.ceil(characters / 4);

export interface Endpoint {
  /** URL of the chat completions. */
  url: string;
  /** Scheme, host and port. Keys and consents are stored by origin. */
  origin: string;
  host: string;
  /** True if the endpoint is on this machine. */
  isLocal: boolean;
  /** True if the connection is encrypted. */
  isEncrypted: boolean;
}

/**
 * Parses the address of an endpoint.
 * @throws LocusError `bad-input` if it is not an http(s) URL, or contains a user name, password, query or fragment.
 */
export function parseEndpoint(address: string): Endpoint {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw badAddress('is not an http:// or https:// address');
  }
  if (url.username || url.password) throw badAddress('contains a user name or password');
  if (url.search || url.hash) throw badAddress('contains a query or fragment');
  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/chat\/completions$/, '');
  return {
    url: `${url.origin}${path}/chat/completions`,
    origin: url.origin,
    host: url.host,
    isLocal: isLoopback(url.hostname),
    isEncrypted: url.protocol === 'https:',
  };
}

const badAddress = (problem: string) =>
  badInput(
    `The verifier’s address ${problem}.`,
    'Enter only the base URL of its API, such as http://127.0.0.1:11434/v1.',
  );

/** Source of the API key for an address. The key itself is never exposed. */
export type KeySource = 'stored' | 'environment' | 'none';

export interface VerifierState {
  key: KeySource;
  agreed: string[];
}

/** Plan of a verification, before anything is sent. */
export interface VerifierPlan {
  model: string;
  endpoint: Endpoint;
  /** True if code leaves this machine, because the endpoint is elsewhere or a proxy is used. */
  isExternal: boolean;
  /** True if the user consented to that for this repository and address. */
  agreed: boolean;
  key: KeySource;
  /** Number of characters of the issue that are sent. */
  issueCharacters: number;
  chunks: { address: ChunkAddress; path: string; qualifiedName: string }[];
  /** Usage without retries. */
  expected: VerifierUsage;
  /** Maximum usage. */
  budget: VerifierUsage;
}

export interface VerifierUsage {
  requests: number;
  /** Number of characters sent in all requests. */
  characters: number;
}

/** The verifier's verdict on a chunk. */
export interface VerifiedChunk {
  address: ChunkAddress;
  /** Null if the model's answers omitted this chunk. */
  verdict: Verdict | null;
  /** One line of untrusted plain text from the model. */
  reason: string;
  /** Rank by the engine, and rank in the model's order. */
  from: number;
  to: number;
}

export interface Verification {
  model: string;
  host: string;
  isExternal: boolean;
  /** First chunks of the ranking in the model's order, or in the engine's if the verification failed. */
  chunks: VerifiedChunk[];
  used: VerifierUsage;
  budget: VerifierUsage;
  notes: string[];
  /** Reason why it did not finish, which leaves the engine's order unchanged; null if it did. */
  failure: { message: string; remedy: string } | null;
}

/** Sorts results into the verified order: judged chunks first, then the rest in their old order. */
export function sortByVerdict<Chunk extends { address: ChunkAddress }>(
  results: readonly Chunk[],
  { chunks }: Pick<Verification, 'chunks'>,
): Chunk[] {
  const ranks = new Map(chunks.map(({ address }, index) => [address, index]));
  const getRank = ({ address }: Chunk) => ranks.get(address) ?? chunks.length;
  return results.toSorted((a, b) => getRank(a) - getRank(b));
}
