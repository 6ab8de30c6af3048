/**
 * A check: a language model behind an OpenAI-compatible API reads the best results, says which of them a fix edits, and orders them.
 * Off unless an address and a model are set. This file holds what hosts and pages share.
 */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { badInput } from './errors.ts';
import { formatCounted } from './format-count.ts';
import { CHECK_RANGES, MAX_CHECKED, MAX_CHUNK_NAME, MAX_MODEL } from './limits.ts';
import { isLocalModelName } from './local-models.ts';
import { isLoopback } from './remote-url.ts';
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

/** Agents that can check a list, by the names of their programs. */
export const AGENT_TITLES = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
} as const;
export type AgentName = keyof typeof AGENT_TITLES;

/** Start of the address of an agent: `agent:claude`, or `agent:` and the absolute path of a program. */
export const AGENT_SCHEME = 'agent:';

/** Start of the address of a language model that Locus runs itself: `local:` and its name. */
const LOCAL_SCHEME = 'local:';

/** Place of a language model: a server, an agent, or a file that Locus runs itself. */
export interface Endpoint {
  /** Name of a model that Locus runs itself, in a process of its own. */
  localModel?: string;
  /** Name or absolute path of an agent that is run on this machine; undefined for a server. */
  agent?: string;
  /** URL of the chat completions, or the agent's address. */
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
 * Parses the address of a server, an agent or a model on this machine.
 * @throws LocusError `bad-input` if it is not an http(s) URL, or contains a user name, password, query or fragment.
 */
export function parseEndpoint(address: string): Endpoint {
  if (address.trim().startsWith(AGENT_SCHEME)) return parseAgent(address.trim());
  if (address.trim().startsWith(LOCAL_SCHEME)) return parseLocalModel(address.trim());
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

function parseAgent(address: string): Endpoint {
  const agent = address.slice(AGENT_SCHEME.length);
  const isKnown = Object.hasOwn(AGENT_TITLES, agent);
  if (!isKnown && !/^(\/|[a-z]:[\\/])[^\0]*$/i.test(agent))
    throw badInput(
      `The address ${address.slice(0, 200)} names no agent that Locus knows.`,
      `Use ${Object.keys(AGENT_TITLES)
        .map((name) => AGENT_SCHEME + name)
        .join(', ')}, or ${AGENT_SCHEME} and the absolute path of a program.`,
    );
  const host = isKnown ? AGENT_TITLES[agent as AgentName] : agent;
  // Locus cannot see where an agent sends the prompt.
  return { agent, url: address, origin: address, host, isLocal: false, isEncrypted: true };
}

function parseLocalModel(address: string): Endpoint {
  const localModel = address.slice(LOCAL_SCHEME.length);
  if (!isLocalModelName(localModel))
    throw badInput(
      `The address ${address.slice(0, 200)} names no language model.`,
      `Use ${LOCAL_SCHEME} and a name that locus models lists.`,
    );
  const common = { url: address, origin: address, host: localModel };
  return { localModel, ...common, isLocal: true, isEncrypted: true };
}

const badAddress = (problem: string) =>
  badInput(
    `The check’s address ${problem}.`,
    'Enter only the base URL of its API, such as http://127.0.0.1:11434/v1.',
  );

/** Names a model for people, and says where it is: `qwen` and `at models.example`. */
export function describeModel(
  model: string,
  { agent, localModel, host, isLocal }: Endpoint,
): { model: string; place: string } {
  if (localModel !== undefined) return { model: localModel, place: 'on this machine' };
  if (agent !== undefined)
    return { model: model === '' ? host : `${host} (${model})`, place: 'through its provider' };
  return { model, place: isLocal ? 'on this machine' : `at ${host}` };
}

/** Returns true if the settings have an address, and the name of a model, which only servers need. */
export const isSetUp = ({ address, model }: Pick<CheckSettings, 'address' | 'model'>): boolean =>
  address.trim() !== '' &&
  (model.trim() !== '' ||
    [AGENT_SCHEME, LOCAL_SCHEME].some((scheme) => address.trim().startsWith(scheme)));

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

/**
 * Sorts results into the checked order. The results that the model was asked about exchange their ranks among each other, and what a
 * second request added joins them. All others keep theirs: those that it was not asked about, and those that a person marked, since
 * a mark outranks the model.
 */
export function sortByCheck<Chunk extends { address: ChunkAddress }>(
  results: readonly Chunk[],
  { chunks, added = [] }: { chunks: readonly CheckedChunk[]; added?: readonly Chunk[] },
  isMarked: (chunk: Chunk) => boolean = () => false,
): Chunk[] {
  const ranks = new Map(chunks.map(({ address }, index) => [address, index]));
  const joining = new Set(chunks.flatMap(({ isAdded, address }) => (isAdded ? address : [])));
  const known = new Map([...added, ...results].map((chunk) => [chunk.address, chunk]));
  const canMove = (chunk: Chunk) => ranks.has(chunk.address) && !isMarked(chunk);
  const moved = [...known.values()]
    .filter(canMove)
    .sort((a, b) => (ranks.get(a.address) ?? 0) - (ranks.get(b.address) ?? 0));
  const rest = results.filter((chunk) => !canMove(chunk) || !joining.has(chunk.address));
  const last = rest.findLastIndex(canMove);
  let next = 0;
  return rest.flatMap((chunk, at) => {
    if (!canMove(chunk)) return chunk;
    const end = at === last ? moved.length : next + 1;
    const placed = moved.slice(next, end);
    next = end;
    return placed;
  });
}

/** Says how many of the checked functions have changed; null if none has. */
export function describeChanged({ chunks }: Pick<CheckOutcome, 'chunks'>): string | null {
  const changed = chunks.filter(({ isChanged }) => isChanged).length;
  if (changed === 0) return null;
  return `Older than the code: ${changed} of ${formatCounted(chunks.length, 'function')} ${changed === 1 ? 'has' : 'have'} changed since.`;
}

/** Counts the results that a check of as many first results would ask about, but this one did not. */
export function countUnchecked(
  results: readonly { address: ChunkAddress }[],
  { chunks }: Pick<CheckOutcome, 'chunks'>,
): number {
  const checked = new Set(chunks.map(({ address }) => address));
  const ranks = new Set(chunks.map(({ from }) => from));
  let first = 0;
  while (ranks.has(first + 1)) first++;
  return results.slice(0, first).filter(({ address }) => !checked.has(address)).length;
}
