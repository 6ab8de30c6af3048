/**
 * The verifier: a language model behind an OpenAI-compatible address that reads the best chunks of a ranking and says
 * of each whether a fix edits it. Off unless an address and a model are set. What both hosts and pages know of it.
 */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { badInput } from './errors.ts';
import { VERIFIER_RANGES } from './limits.ts';
import { MARK_TITLES, type Mark } from './marks.ts';
import { isLoopback } from './remote-url.ts';

/** The prompt's words, best first: what a fix edits, what helps to understand it, what has no part in it. */
export const VERDICTS = ['edit', 'context', 'no'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The mark that says the same. */
const MARK_OF: Readonly<Record<Verdict, Mark>> = {
  edit: 'edit',
  context: 'read',
  no: 'irrelevant',
};

export const verdictTitle = (verdict: Verdict): string => MARK_TITLES[MARK_OF[verdict]];

const within = ([least, most]: readonly [number, number]) => z.int().min(least).max(most);

/** Settings of the verifier; without `address` or `model` there is none. The key is not among them: see `VerifierFile`. */
export const verifierSettings = z.object({
  /** The base of the API, such as http://127.0.0.1:11434/v1. */
  address: z.string().max(2000).default(''),
  model: z.string().max(300).default(''),
  /** The best chunks of the ranking that are sent. */
  top: within(VERIFIER_RANGES.top).default(20),
  /** Requests at most for one verification, those that are repeated included. */
  requests: within(VERIFIER_RANGES.requests).default(8),
  /** Characters sent at most for one verification, in all requests together. */
  characters: within(VERIFIER_RANGES.characters).default(240_000),
  /** Seconds that one request may take. */
  seconds: within(VERIFIER_RANGES.seconds).default(120),
});
export type VerifierSettings = z.output<typeof verifierSettings>;
export const VERIFIER_DEFAULTS: VerifierSettings = verifierSettings.parse({});

/** Characters of an issue and of a chunk's code that are sent at most; of longer ones the middle is left out. */
export const MAX_SENT = { issue: 12_000, code: 4000 } as const;

/** When none of the first chunks is to be edited, so many of the next may be sent too. */
export const REFINE_CHUNKS = 20;

/** Roughly; for people, who pay by the token. */
export const tokensOf = (characters: number): number => Math.ceil(characters / 4);

export interface Endpoint {
  /** Of the chat completions. */
  url: string;
  /** Scheme, host and port: what keys and agreements are kept for. */
  origin: string;
  host: string;
  /** Whether it is this machine: then nothing leaves it. */
  loopback: boolean;
  /** Whether nobody on the way can read along. */
  encrypted: boolean;
}

/** @throws LocusError `bad-input` when it is no http address, or holds a user name, password, query or fragment. */
export function endpointOf(address: string): Endpoint {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw badAddress('is not an http:// or https:// address');
  }
  if (url.username || url.password) throw badAddress('holds a user name or password');
  if (url.search || url.hash) throw badAddress('holds a query or fragment');
  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/chat\/completions$/, '');
  return {
    url: `${url.origin}${path}/chat/completions`,
    origin: url.origin,
    host: url.host,
    loopback: isLoopback(url.hostname),
    encrypted: url.protocol === 'https:',
  };
}

const badAddress = (what: string) =>
  badInput(
    `the verifier’s address ${what}`,
    'give the base of its API alone, such as http://127.0.0.1:11434/v1',
  );

/** Where the key comes from that this address is given; the key itself is never told. */
export type KeySource = 'stored' | 'environment' | 'none';

export interface VerifierState {
  key: KeySource;
  agreed: string[];
}

/** What a verification would send, before anything is sent. */
export interface VerifierPlan {
  model: string;
  endpoint: Endpoint;
  /** Whether code leaves this machine: the address is elsewhere, or a proxy stands between. */
  leaves: boolean;
  /** Whether the user agreed to that for this repository and address. */
  agreed: boolean;
  key: KeySource;
  /** Of the issue, as far as it is sent. */
  issueCharacters: number;
  chunks: { address: ChunkAddress; path: string; qualifiedName: string }[];
  /** What it takes when every request is answered at once. */
  expected: VerifierUse;
  /** What it may take at most. */
  budget: VerifierUse;
}

export interface VerifierUse {
  requests: number;
  /** Sent, in all requests together. */
  characters: number;
}

/** What the model made of a chunk. */
export interface VerifiedChunk {
  address: ChunkAddress;
  /** Null when its answers did not have this chunk. */
  verdict: Verdict | null;
  /** One line from the model: plain text to show, nothing else. */
  reason: string;
  /** Rank by the engine, and in the model's order. */
  from: number;
  to: number;
}

export interface Verification {
  model: string;
  host: string;
  leaves: boolean;
  /** The first chunks of the ranking in the model's order; in the engine's if it failed. */
  chunks: VerifiedChunk[];
  used: VerifierUse;
  budget: VerifierUse;
  notes: string[];
  /** Why it could not be finished; the engine's order then stays. */
  failure: { message: string; remedy: string } | null;
}

/** A ranking in the verified order: what was judged, then the rest as it was. */
export function inVerifiedOrder<Chunk extends { address: ChunkAddress }>(
  results: readonly Chunk[],
  { chunks }: Pick<Verification, 'chunks'>,
): Chunk[] {
  const places = new Map(chunks.map(({ address }, at) => [address, at]));
  const placeOf = ({ address }: Chunk) => places.get(address) ?? chunks.length;
  return results.toSorted((a, b) => placeOf(a) - placeOf(b));
}
