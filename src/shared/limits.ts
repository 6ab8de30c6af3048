/** Limits of the contract. The engine refuses what is beyond; who asks it keeps within. Lengths in UTF-16 units. */

/** Of an issue. Of a long one, search reads parts and says so. */
export const MAX_ISSUE = 5_000_000;
/** Of code whose names are told apart by colours. */
export const MAX_CODE = 1_000_000;
export const MAX_LINK = 2000;
/** Of what names a chunk: an address, or whatever a person takes for one. */
export const MAX_CHUNK_NAME = 20_000;
export const MAX_NOTE = 10_000;
export const MAX_PATH = 4096;
/** Of a path, or a list of paths. */
export const MAX_PLACE = 50_000;
/** Of what a fleet's engine is shown: a user's name and password, or an API key. */
export const MAX_TOKEN = 2000;
export const MAX_EDITOR = 1000;

/** Results of a search, and how many there are unless more or fewer are asked for. */
export const MOST_RESULTS = 1000;
export const DEFAULT_RESULTS = 20;
/** Tokens of a prompt for a language model: the least, the most, and unless told otherwise. */
export const LEAST_TOKENS = 500;
export const MOST_TOKENS = 2_000_000;
export const DEFAULT_TOKENS = 8000;
/** Results that the second step of a search reads, and for how many milliseconds it does so unless told otherwise. */
export const MOST_READ = 50;
export const READING_MS = 1_500;
export const MOST_READING_MS = 60_000;
/** Functions that it reads in advance, where that is wanted: 40 MB of embeddings, and a good twenty minutes of two cores. */
export const MOST_READ_IN_ADVANCE = 100_000;
export const MOST_REPOSITORIES = 50;
/** Repositories of a fleet whose state a window shows. */
export const MOST_FLEET_SHOWN = 2_000;
export const MOST_GLOBS = 100;
export const MOST_PACKAGES = 100;
/** Chunks of one mark that refine a search. */
export const MOST_MARKED = 200;
/** Chunks that snippets are asked of at once; words that are looked for in a text, and how long one may be. */
export const MOST_SNIPPETS = 200;
export const MOST_WORDS = 50;
export const MAX_WORD = 1000;
/** Chunks that are marked, imported or looked for at once. */
export const MOST_CHUNKS = 10_000;

/** What a verification may take: the least and the most that each of its settings can be. */
export const VERIFIER_RANGES = {
  top: [1, 50],
  requests: [1, 50],
  characters: [10_000, 2_000_000],
  seconds: [1, 300],
} as const;

/** Of code, in pixels at 100 %, unless a user wants another. */
export const CODE_SIZE = 12.5;
