/**
 * A check: a language model behind an OpenAI-compatible API reads the best results, says which of them a fix edits, and orders them.
 * Off unless an address and a model are set. This file holds what hosts and pages share.
 */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import type { Endpoint } from './check-endpoint.ts';
import { CHECK_RANGES, MAX_CHECKED, MAX_CHUNK_NAME, MAX_MODEL } from './limits.ts';
import type { RankedChunk } from './search.ts';

const within = ([min, max]: readonly [number, number]) => z.int().min(min).max(max);

/** Settings of a check, which is off without `address` or `model`. The API key is stored elsewhere, see `CheckFile`. */
export const checkSettings = z.object({
  /** Base URL of the API, such as http://127.0.0.1:11434/v1. */
  address: z.string().max(2000).default(''),
  model: z.string().max(300).default(''),
  /** Number of first results that are sent. */
  candidates: within(CHECK_RANGES.candidates).default(20),
  /** Characters of code of each candidate; the first five get twice as many. */
  characters: within(CHECK_RANGES.characters).default(300),
  /** Tokens that the model can read at once, its answer included. */
  context: within(CHECK_RANGES.context).default(8_000),
  /** Time limit of one request in seconds. */
  seconds: within(CHECK_RANGES.seconds).default(120),
  /** True to ask a second time, with more candidates, if the model misses code or would edit none of the first. */
  lookAgain: z.boolean().default(true),
  /** True if the window checks every final list by itself, where that needs no further consent. */
  automatic: z.boolean().default(false),
});
export type CheckSettings = z.output<typeof checkSettings>;
export const CHECK_DEFAULTS: CheckSettings = checkSettings.parse({});

/** Maximum number of candidates that a model orders. The others keep their order. */
export const MAX_ORDER = 15;

/** Estimates the number of tokens, since users pay by the token. */
export const approximateTokens = (characters: number): number => Math.ceil(characters / 4);

/** A server on this machine that listed its models. */
export interface FoundServer {
  title: string;
  address: string;
  /** Names of its models: untrusted plain text. */
  models: string[];
}

/** Language models that were found on this machine. */
export interface FoundModels {
  servers: FoundServer[];
  agents: { title: string; address: string }[];
}

/** Result of asking a model about the sample. */
export interface CheckTrial {
  /** Milliseconds until the end of the answer. */
  tookMs: number;
  /** Rank that the model gave to the function that the fix edits; null if the answer could not be used. */
  rank: number | null;
  /** Characters of the request and of the answer. */
  size: { request: number; answer: number };
  failure: CheckOutcome['failure'];
}

/** Source of the API key for an address. The key itself is never exposed. */
export type KeySource = 'stored' | 'environment' | 'none';

export interface CheckAccess {
  key: KeySource;
  agreed: string[];
}

/** Plan of a check, before anything is sent. */
export interface CheckPlan {
  /** Name of the model and its place, see `describeModel`. */
  model: string;
  place: string;
  endpoint: Endpoint;
  /** True if code leaves this machine, because the endpoint is elsewhere or a proxy is used. */
  isExternal: boolean;
  /** True if the user consented to that for this repository and address, or for all repositories of a workspace whose code is sent. */
  agreed: boolean;
  /** Folders of the repositories whose code would be sent and that lack consent. */
  lacking: string[];
  key: KeySource;
  /** Number of characters of the issue that are sent. */
  issueCharacters: number;
  chunks: { address: ChunkAddress; path: string; qualifiedName: string }[];
  /** Maximum number of further chunks of the repository that a second request adds; 0 without a second request. */
  more: number;
  /** Usage of the first request, without retries. */
  expected: CheckUsage;
  /** Maximum usage, with retries and a second request. */
  budget: CheckUsage;
}

export interface CheckUsage {
  requests: number;
  /** Number of characters sent in all requests. */
  characters: number;
  /** Characters of an answer that is arriving, the model's thoughts included. */
  received?: number;
  /** Tokens of requests and answers as the server counted them; missing if it did not. */
  tokens?: number;
}

/** Maximum length of a reason, in characters. */
export const MAX_CHECK_REASON = 200;

/** A chunk that the model was asked about. */
export const checkedChunk = z.object({
  address: z.string().min(1).max(MAX_CHUNK_NAME),
  /** True if the fix edits it, according to the model. */
  isEdit: z.boolean(),
  /** Reason for that: one line of untrusted plain text from the model, or empty. */
  reason: z.string().max(MAX_CHECK_REASON),
  /** Rank by the engine, null if it was only found by what the model misses; and rank in the checked order. */
  from: z.int().nullable(),
  to: z.int(),
  /** True if a second request added it. */
  isAdded: z.literal(true).optional(),
  /** True if its code was changed or removed since the check. */
  isChanged: z.literal(true).optional(),
});
export type CheckedChunk = z.output<typeof checkedChunk>;

/** Combination of the order of the list with the model's. */
export interface CheckFusion {
  /** Weight of the model's order, from 0 to 1. */
  weight: number;
  /** Ranks by the engine in the order of the model's first answer. */
  order: number[];
  /** Evidence for the model's first choices; 0 for choices as likely as random ones. */
  agreement: number;
  /** Mean share of a reason's words that its function has; null without reasons. */
  fit: number | null;
}

export interface CheckOutcome {
  /** Name of the model and its place, see `describeModel`. */
  model: string;
  place: string;
  /** Time of the check, ISO 8601. */
  checkedAt: string;
  isExternal: boolean;
  /** Missing if the check failed. */
  fusion?: CheckFusion;
  /** Chunks of the first request and of `added` in the checked order, or in the engine's if the check failed. */
  chunks: CheckedChunk[];
  /** Addresses of all chunks that the model was asked about, those of a second request included. */
  asked: ChunkAddress[];
  /** Chunks of a second request that the model put among the likeliest. They may be missing from the list. */
  added: RankedChunk[];
  /** Names, paths or words that the model misses among them: untrusted plain text. */
  missing: string[];
  /** Characters of the requests and of the answers, even if the answers were stored before. */
  size: { request: number; answer: number };
  used: CheckUsage;
  budget: CheckUsage;
  notes: string[];
  /** Reason why it did not finish, which leaves the engine's order unchanged; null if it did. */
  failure: { message: string; remedy: string } | null;
}

/** Check of an exported list. */
export const listCheck = z.object({
  model: z.string().max(MAX_MODEL),
  place: z.string().max(MAX_MODEL),
  checkedAt: z.iso.datetime(),
  /** True if the list is in the checked order. */
  isApplied: z.boolean(),
  chunks: z.array(checkedChunk).max(MAX_CHECKED),
});
export type ListCheck = z.output<typeof listCheck>;
