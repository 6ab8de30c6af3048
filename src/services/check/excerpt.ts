/** Chooses the few lines of a chunk that tell most about an issue. */
import type { FileDetail, OutlinedChunk } from '../../shared/detail.ts';
import type { RankedChunk } from '../../shared/search.ts';
import { type CodeLine, measureIndent, readCodeLines } from '../code-lines.ts';

/** Maximum length of a line, in UTF-16 units. */
const MAX_LINE = 120;
/** Maximum number of lines of a header. */
const MAX_HEADER = 4;
/** Mark for omitted lines. */
const GAP = '…';
/** Share of a word's weight once another chosen line has it, and in comments and directives, which decide less than code. */
const REPEATED = 0.3;
const IN_COMMENT = 0.5;
export const COMMENT = /^\s*(?:\/\/|\/?\*|#(?![[!])|--|<!--|"{3}|'{3})/;

/** Evidence and mentioned lines, by which lines of a chunk are chosen. */
export interface ExcerptFocus {
  evidence: RankedChunk['evidence'];
  /** Lines that the issue mentions in a traceback. */
  mentioned?: readonly number[] | undefined;
}

/** Lines of a chunk, and the indexes of those that matter. */
export interface WeighedLines {
  lines: readonly CodeLine[];
  header: readonly number[];
  /** Lines that the issue mentions in a traceback. */
  mentioned: readonly number[];
  /** Lines that share words with the issue, heaviest first. */
  byWords: readonly number[];
}

export async function weighLines(
  file: FileDetail,
  chunk: OutlinedChunk,
  { evidence, mentioned = [] }: ExcerptFocus,
): Promise<WeighedLines> {
  const weights = sumWordScores(evidence);
  const lines = await readCodeLines(file, chunk, [...weights.keys()]);
  const header = findHeader(lines, chunk.headerLine);
  const named = mentioned.map((line) => lines.findIndex((own) => own.line === line));
  return {
    lines,
    header,
    mentioned: named.filter((at) => at >= 0),
    byWords: orderByWords(lines, [...weights.values()], new Set(header)),
  };
}

/** Orders the lines by importance: header, mentioned lines, those with words, then the others with text, from the top. */
function orderLines({ lines, header, mentioned, byWords }: WeighedLines): number[] {
  const after = [...lines.keys()].slice((header.at(-1) ?? -1) + 1);
  const others = after.filter((at) => lines[at]?.text.trim());
  return [...new Set([...header, ...mentioned, ...byWords, ...others])];
}

/**
 * Chooses lines by importance: the first one, and each that still fits.
 * @param order indexes of lines, most important first
 * @param measure returns the length of a line in the output
 * @param most maximum sum of the lengths
 * @returns indexes in the order of the file
 */
export function chooseLines(
  order: readonly number[],
  measure: (at: number) => number,
  most: number,
): number[] {
  const chosen: number[] = [];
  let left = most;
  for (const at of order) {
    const cost = measure(at);
    if (chosen.length > 0 && cost > left) continue;
    chosen.push(at);
    left -= cost;
  }
  return chosen.sort((a, b) => a - b);
}

/**
 * Returns the most important lines of a chunk, in the order of the file and without their common indentation; `…` stands for
 * omitted ones.
 * @param most maximum number of UTF-16 units
 */
export async function writeExcerpt(
  file: FileDetail,
  chunk: OutlinedChunk,
  focus: ExcerptFocus,
  most: number,
): Promise<string> {
  const weighed = await weighLines(file, chunk, focus);
  const full = weighed.lines.filter(({ text }) => text.trim() !== '');
  const indent = Math.min(...full.map(({ text }) => measureIndent(text)));
  const texts = weighed.lines.map(({ text }) => cutLine(text.slice(indent).trimEnd()));
  // A line break, and a mark for omitted lines.
  const measure = (at: number) => (texts[at] ?? '').length + 1 + GAP.length + 1;
  return joinLines(texts, chooseLines(orderLines(weighed), measure, most));
}

const cutLine = (text: string): string =>
  text.length > MAX_LINE ? `${text.slice(0, MAX_LINE - 1)}…` : text;

/** Adds up the scores of each word over all signals. */
function sumWordScores(evidence: RankedChunk['evidence']): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { words = [] } of Object.values(evidence))
    for (const { word, score } of words) sums.set(word, (sums.get(word) ?? 0) + score);
  return sums;
}

/** Returns the indexes of the header's lines, up to the one that closes its parentheses. */
function findHeader(lines: readonly CodeLine[], headerLine: number): number[] {
  const first = Math.max(
    0,
    lines.findIndex(({ line }) => line >= headerLine),
  );
  let open = 0;
  const header: number[] = [];
  for (let at = first; at < Math.min(lines.length, first + MAX_HEADER); at++) {
    header.push(at);
    for (const character of lines[at]?.text ?? '')
      open += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (open <= 0) break;
  }
  return header;
}

/** Orders the lines that have words of the issue, heaviest first. A word that an earlier line has weighs less. */
function orderByWords(
  lines: readonly CodeLine[],
  weights: readonly number[],
  header: ReadonlySet<number>,
): number[] {
  const words = lines.map(({ places }) => [...new Set(places.map(({ word }) => word))]);
  const seen = new Set([...header].flatMap((at) => words[at] ?? []));
  const rest = new Set(findFirstLines(lines).filter((at) => !header.has(at) && words[at]?.length));
  const weigh = (at: number) =>
    (words[at] ?? []).reduce(
      (sum, word) => sum + (weights[word] ?? 0) * (seen.has(word) ? REPEATED : 1),
      0,
    ) * (COMMENT.test(lines[at]?.text ?? '') ? IN_COMMENT : 1);
  const order: number[] = [];
  while (rest.size > 0) {
    let best = -1;
    let most = -1;
    for (const at of rest) {
      const weight = weigh(at);
      if (weight > most) [best, most] = [at, weight];
    }
    rest.delete(best);
    order.push(best);
    for (const word of words[best] ?? []) seen.add(word);
  }
  return order;
}

/** Returns the indexes of the lines whose text no earlier line has. */
function findFirstLines(lines: readonly CodeLine[]): number[] {
  const texts = lines.map(({ text }) => text.trim());
  const first = new Map(texts.map((text, at) => [text, at] as const).reverse());
  return [...texts.keys()].filter((at) => first.get(texts[at] ?? '') === at);
}

function joinLines(texts: readonly string[], chosen: readonly number[]): string {
  const parts: string[] = [];
  let next = chosen[0] ?? 0;
  for (const at of chosen) {
    if (hasText(texts, next, at)) parts.push(GAP);
    parts.push(texts[at] ?? '');
    next = at + 1;
  }
  if (hasText(texts, next, texts.length)) parts.push(GAP);
  return parts.join('\n');
}

const hasText = (texts: readonly string[], from: number, to: number): boolean =>
  texts.slice(from, to).some((text) => text.trim() !== '');
