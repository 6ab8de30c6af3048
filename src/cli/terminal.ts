/** Colors, widths and the progress line. Text from a repository must be quoted first; see `quoted.ts`. */
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import type { IndexPhase, IndexProgress } from '../shared/indexing.ts';
import { endTruncated, quoteName } from '../shared/quote.ts';

export interface TerminalOutput {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Returns colors for a terminal, and none otherwise. `NO_COLOR` (https://no-color.org) turns them off, `FORCE_COLOR` on. */
export function getColors(output: TerminalOutput, env: Record<string, string | undefined>): Colors {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const terminal = output.isTTY === true && env.TERM !== 'dumb';
  return picocolors.createColors(!env.NO_COLOR && (forced || terminal));
}

/** Returns the columns of a terminal. Without one, returns 400, so that nothing is cut. */
export const getWidth = (output: TerminalOutput) => output.columns || 400;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

// CJK and emoji are wide in every terminal; combining marks have no width. Compiling these takes long, so only if needed.
const createWidePattern = () =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const createZeroWidthPattern = () => /\p{Mark}|\u200c|\u200d/u;

/** Returns the columns that text takes in a terminal, without color codes. */
export function countColumns(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (PRINTABLE_ASCII.test(plain)) return plain.length;
  const [wide, zeroWidth] = [createWidePattern(), createZeroWidthPattern()];
  let columns = 0;
  for (const character of plain)
    columns += wide.test(character) ? 2 : zeroWidth.test(character) ? 0 : 1;
  return columns;
}

/** Cuts uncolored text to `columns`, with an ellipsis at the end if something is missing. */
export function truncate(sentence: string, columns: number): string {
  if (countColumns(sentence) <= columns) return sentence;
  let part = '';
  for (const character of sentence) {
    if (countColumns(part + character) > columns) break;
    part += character;
  }
  return endTruncated(part);
}

/** Returns a quoted name in at most `columns`. `cut` shortens a name that is too long. */
export function truncateName(name: string, columns: number, cut = truncate): string {
  const whole = quoteName(name);
  if (countColumns(whole) <= columns) return whole;
  return whole.startsWith('`')
    ? `\`${cut(whole.slice(1, -1), columns - 2)}\``
    : cut(whole, columns);
}

/** Cuts a path to `columns` at its beginning, because the end matters most. */
export function truncatePath(path: string, columns: number): string {
  if (countColumns(path) <= columns) return path;
  const characters = Array.from(path);
  while (characters.length > 0 && countColumns(characters.join('')) > columns - 1)
    characters.shift();
  return `…${characters.join('')}`;
}

export const padEnd = (text: string, columns: number) =>
  text + ' '.repeat(Math.max(0, columns - countColumns(text)));
export const padStart = (text: string, columns: number) =>
  ' '.repeat(Math.max(0, columns - countColumns(text))) + text;

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Returns a bar of up to `columns` for a fraction from 0 to 1. */
export function drawBar(fraction: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, fraction)) * columns * 8);
  return '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7];
}

/** Formats a duration: `0.4 s`, `12 s`, `3 min 20 s`, `1 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function formatBytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = n < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(n) / 3));
  const value = n / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

const PHASES: Record<IndexPhase, { label: string; unit: string }> = {
  download: { label: 'downloading', unit: 'parts' },
  scan: { label: 'finding files', unit: 'files' },
  parse: { label: 'parsing', unit: 'files' },
  graph: { label: 'linking calls', unit: 'files' },
  encode: { label: 'encoding', unit: 'functions' },
  history: { label: 'reading history', unit: 'commits' },
  embed: { label: 'embedding', unit: 'functions' },
  rerank: { label: 'reranking', unit: 'results' },
};

/** Returns the progress of indexing as one line. Parts that do not fit a narrow terminal are omitted. */
function formatProgress(progress: IndexProgress, columns: number): string {
  const { label, unit } = PHASES[progress.phase];
  const { done, total, rate, secondsLeft } = progress;
  const parts = [
    ...(total > 0
      ? [
          `${padEnd(drawBar(done / total, 20), 20)} ${String(Math.floor((100 * done) / total)).padStart(3)}%`,
        ]
      : []),
    total > 0
      ? `${formatCount(done)}/${formatCount(total)} ${unit}`
      : formatCounted(done, unit.slice(0, -1)),
    ...(rate > 0 ? [`${formatCount(rate)}/s`] : []),
    ...(secondsLeft !== null ? [`${formatDuration(secondsLeft)} left`] : []),
  ];
  let line = padEnd(label, 14);
  for (const part of parts) {
    if (countColumns(line) + 2 + countColumns(part) < columns) line += `  ${part}`;
  }
  return truncate(line, columns - 1);
}

/** Progress line on a terminal, which overwrites itself; prints nothing without a terminal. */
export class ProgressLine {
  readonly #output: TerminalOutput;
  readonly #colors: Colors;
  #phase = '';
  #drawnAt = 0;
  #isVisible = false;

  constructor(output: TerminalOutput, colors: Colors) {
    this.#output = output;
    this.#colors = colors;
  }

  show(progress: IndexProgress): void {
    this.#draw(progress.phase, (columns) => formatProgress(progress, columns));
  }

  /** Shows a text of which only numbers change. */
  showText(text: string): void {
    this.#draw('', (columns) => truncate(text, columns - 1));
  }

  #draw(phase: string, format: (columns: number) => string): void {
    if (!this.#output.isTTY) return;
    const now = performance.now();
    // Redraw at most ten times a second, but show a new phase at once.
    if (phase === this.#phase && now - this.#drawnAt < 100) return;
    this.#phase = phase;
    this.#drawnAt = now;
    this.#isVisible = true;
    this.#output.write(`\r\u001b[2K${this.#colors.dim(format(getWidth(this.#output)))}`);
  }

  /** Clears the line. Call this before printing anything else. */
  [Symbol.dispose](): void {
    if (this.#isVisible) this.#output.write('\r\u001b[2K');
    this.#isVisible = false;
  }
}
