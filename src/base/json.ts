/** Parses untrusted JSON. Its shape is checked first, so that it cannot exhaust time or memory. */

export interface JsonLimits {
  /** Maximum nesting of lists and objects. Parsing deep nesting takes seconds per megabyte. */
  maxDepth: number;
  /** Maximum number of lists and objects together; unlimited by default. */
  maxContainers?: number;
  /** Maximum number of values in all lists and objects; unlimited by default. */
  maxValues?: number;
}

const CODES = { quote: 0x22, comma: 0x2c, open: 0x5b, backslash: 0x5c, close: 0x5d };
/** Bit that distinguishes `{` and `}` from `[` and `]`. */
const BRACE_BIT = 0x20;

/**
 * Parses JSON. Checking the limits takes one pass over its bytes.
 * @throws SyntaxError for invalid JSON and for JSON beyond the limits
 */
export function parseJson(bytes: Buffer, limits: JsonLimits): unknown {
  const problem = findProblem(bytes, limits);
  if (problem !== null) throw new SyntaxError(`its JSON ${problem}`);
  return JSON.parse(bytes.toString('utf8'));
}

/** Parses JSON. Returns undefined for invalid JSON and for JSON beyond the limits. */
export function parseBounded(bytes: Buffer, limits: JsonLimits): unknown {
  try {
    return parseJson(bytes, limits);
  } catch {
    // Not JSON, or beyond the limits.
    return undefined;
  }
}

function findProblem(
  bytes: Buffer,
  { maxDepth, maxContainers = Infinity, maxValues = Infinity }: JsonLimits,
): string | null {
  let [depth, containers, values] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] as number;
    if (code === CODES.quote) {
      at = findEndOfString(bytes, at);
      if (at < 0) return 'has an unterminated string';
    } else if (code === CODES.comma) {
      if (++values > maxValues) return `has more than ${maxValues} values`;
    } else if ((code & ~BRACE_BIT) === CODES.open) {
      if (++depth > maxDepth) return `nests more than ${maxDepth} deep`;
      if (++containers > maxContainers) return `has more than ${maxContainers} lists and objects`;
    } else if ((code & ~BRACE_BIT) === CODES.close) depth--;
  }
  return null;
}

/** Returns the position of a string's closing quote; -1 if it is missing. */
function findEndOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at++) {
    at = bytes.indexOf(CODES.quote, at);
    if (at < 0) return -1;
    let first = at;
    while (bytes[first - 1] === CODES.backslash) first--;
    if ((at - first) % 2 === 0) return at;
  }
}
