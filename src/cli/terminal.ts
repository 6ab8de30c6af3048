/** Printing: colors, widths, the progress line. Text of a repository is quoted before it gets here: `quoted.ts` says how. */
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';
import { grouped } from '../shared/grouped.ts';
import type { IndexPhase, IndexProgress } from '../shared/indexing.ts';
import { endCut, named } from '../shared/quoted.ts';

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours only on a terminal; `NO_COLOR` (https://no-color.org) turns them off, `FORCE_COLOR` on. */
export function colorsFor(output: Output, env: Record<string, string | undefined>): Colors {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const terminal = output.isTTY === true && env.TERM !== 'dumb';
  return picocolors.createColors(!env.NO_COLOR && (forced || terminal));
}

/** Columns of a terminal; where there is none, more than a line of text needs, so that nothing is cut. */
export const widthOf = (output: Output) => output.columns || 400;

const ONE_COLUMN_EACH = /^[\x20-\x7e]*$/;

// Wide in every terminal: CJK and emoji. Combining marks take no column. Made when there is other text than ASCII: it takes long.
const wide = () =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const noWidth = () => /\p{Mark}|\u200c|\u200d/u;

/** Columns that text takes in a terminal, colours not counted. */
export function columnsOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (ONE_COLUMN_EACH.test(plain)) return plain.length;
  const [two, none] = [wide(), noWidth()];
  let columns = 0;
  for (const character of plain) columns += two.test(character) ? 2 : none.test(character) ? 0 : 1;
  return columns;
}

/** Cuts an uncolored sentence to `columns`, with an ellipsis at the end where something is missing. */
export function fit(sentence: string, columns: number): string {
  if (columnsOf(sentence) <= columns) return sentence;
  let part = '';
  for (const character of sentence) {
    if (columnsOf(part + character) > columns) break;
    part += character;
  }
  return endCut(part);
}

/** Shows a name in at most `columns`; `cut` says how a name that is too long loses some of its characters. */
export function fitName(name: string, columns: number, cut = fit): string {
  const whole = named(name);
  if (columnsOf(whole) <= columns) return whole;
  return whole.startsWith('`')
    ? `\`${cut(whole.slice(1, -1), columns - 2)}\``
    : cut(whole, columns);
}

/** A path cut to `columns` in the middle: its end says most. */
export function fitPath(path: string, columns: number): string {
  if (columnsOf(path) <= columns) return path;
  const characters = Array.from(path);
  while (characters.length > 0 && columnsOf(characters.join('')) > columns - 1) characters.shift();
  return `…${characters.join('')}`;
}

export const padEnd = (text: string, columns: number) =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
export const padStart = (text: string, columns: number) =>
  ' '.repeat(Math.max(0, columns - columnsOf(text))) + text;

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of up to `columns` for a fraction of 1. */
export function bar(fraction: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, fraction)) * columns * 8);
  return '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7];
}

export const count = grouped;
export const counted = (n: number, singular: string, plural = `${singular}s`) =>
  `${count(n)} ${n === 1 ? singular : plural}`;

/** A span of time as a person says it: `0.4 s`, `12 s`, `3 min 20 s`, `1 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = n < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(n) / 3));
  const value = n / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

const PHASES: Record<IndexPhase, { label: string; unit: string }> = {
  download: { label: 'taking the shared index', unit: 'parts' },
  scan: { label: 'finding files', unit: 'files' },
  parse: { label: 'reading code', unit: 'files' },
  graph: { label: 'linking calls', unit: 'files' },
  encode: { label: 'encoding', unit: 'functions' },
  read: { label: 'reading', unit: 'functions' },
  history: { label: 'reading history', unit: 'commits' },
};

/** The one line that says how far indexing is; parts that a narrow terminal has no room for are left out. */
function progressText(progress: IndexProgress, columns: number): string {
  const { label, unit } = PHASES[progress.phase];
  const { done, total, rate, secondsLeft } = progress;
  const parts = [
    ...(total > 0
      ? [
          `${padEnd(bar(done / total, 20), 20)} ${String(Math.floor((100 * done) / total)).padStart(3)}%`,
        ]
      : []),
    total > 0 ? `${count(done)}/${count(total)} ${unit}` : counted(done, unit.slice(0, -1)),
    ...(rate > 0 ? [`${count(rate)}/s`] : []),
    ...(secondsLeft !== null ? [`${duration(secondsLeft)} left`] : []),
  ];
  let line = padEnd(label, 14);
  for (const part of parts) {
    if (columnsOf(line) + 2 + columnsOf(part) < columns) line += `  ${part}`;
  }
  return fit(line, columns - 1);
}

/** A line on a terminal that is written over as work goes on; silent where there is no terminal. */
export class ProgressLine {
  readonly #output: Output;
  readonly #colors: Colors;
  #phase: IndexPhase | null = null;
  #drawnAt = 0;
  #drawn = false;

  constructor(output: Output, colors: Colors) {
    this.#output = output;
    this.#colors = colors;
  }

  show(progress: IndexProgress): void {
    if (!this.#output.isTTY) return;
    const now = performance.now();
    // Ten times a second is as much as an eye follows; a new phase shows at once.
    if (progress.phase === this.#phase && now - this.#drawnAt < 100) return;
    this.#phase = progress.phase;
    this.#drawnAt = now;
    this.#drawn = true;
    this.#output.write(
      `\r\u001b[2K${this.#colors.dim(progressText(progress, widthOf(this.#output)))}`,
    );
  }

  /** Takes the line away; print anything else only after this. */
  [Symbol.dispose](): void {
    if (this.#drawn) this.#output.write('\r\u001b[2K');
    this.#drawn = false;
  }
}
