/** Limits and defaults of the contract. The engine rejects requests beyond the limits. Lengths are in UTF-16 units. */

/** Length of an issue. All of it is searched for names, paths and tracebacks; a long one is not searched for all of its words. */
export const MAX_ISSUE = 5_000_000;
/** Length of code whose names can be colored. */
export const MAX_CODE = 1_000_000;
export const MAX_LINK = 2000;
/** Length of a chunk's address, or of whatever a user enters in its place. */
export const MAX_CHUNK_NAME = 20_000;
export const MAX_NOTE = 10_000;
export const MAX_PATH = 4096;
/** Length of a repository's path, or of a workspace's encoded list of paths. */
export const MAX_ROOT = 50_000;
/** Length of the token for a fleet's engine: a user name and password, or an API key. */
export const MAX_TOKEN = 2000;
export const MAX_EDITOR = 1000;

/** Number of results of a search. */
export const MAX_RESULTS = 1000;
export const DEFAULT_RESULTS = 20;
/** Token budget of a prompt for a language model. */
export const MIN_TOKENS = 500;
export const MAX_TOKENS = 2_000_000;
export const DEFAULT_TOKENS = 8000;
/** Number of results that are reranked, and the longest deadline for it in milliseconds. */
export const MAX_RERANKED = 50;
export const MAX_RERANK_DEADLINE_MS = 600_000;
/** Number of functions that background embedding covers: 40 MB of embeddings, and a good twenty minutes on two cores. */
export const MAX_BACKGROUND_EMBEDDED = 100_000;
/** Length of text or a regular expression to search for, and number of functions in the answer. */
export const MAX_GREP_PATTERN = 2000;
export const MAX_GREP_RESULTS = 1000;
export const DEFAULT_GREP_RESULTS = 20;
export const MAX_REPOSITORIES = 50;
/** Number of past commits that a clone by URL gets, or a few more. Ranking uses no more. */
export const MAX_CLONED_COMMITS = 5_000;
/** Number of a fleet's repositories whose state a window shows. */
export const MAX_FLEET_SHOWN = 2_000;
export const MAX_GLOBS = 100;
export const MAX_PACKAGES = 100;
/** Number of marked chunks, for each mark, that influence a search. */
export const MAX_MARKED = 200;
/** Number of chunks in one request for snippets; number and length of words to find in a text. */
export const MAX_SNIPPETS = 200;
export const MAX_WORDS = 50;
export const MAX_WORD = 1000;
/** Number of chunks in one request to mark, import or find chunks. */
export const MAX_CHUNKS = 10_000;

/** Minimum and maximum of the check's numeric settings. */
export const CHECK_RANGES = {
  candidates: [5, 50],
  characters: [100, 2_000],
  context: [2_000, 1_000_000],
  seconds: [1, 300],
} as const;

/** Ranges of the limits of an investigation. */
export const INVESTIGATION_RANGES = {
  toolCalls: [1, 500],
  seconds: [10, 3_600],
} as const;
/** Length of the name of a language model, and of its place. */
export const MAX_MODEL = 2500;
/** Number of functions in a check, those of a second look included. */
export const MAX_CHECKED = 100;

/** Default font size of code, in pixels at 100 %. */
export const CODE_SIZE = 12.5;
