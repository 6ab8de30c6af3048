/** Turns what was measured into the table of the bench: medians, ratios of the same rounds, and marks. */
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { median } from '../../src/services/evaluation/statistics.ts';
import type { Figure, Values } from './figures.ts';
import type { Missing } from './run.ts';

/** Values of each run by its id, a round each; or the reason why there are none. */
export type Samples = ReadonlyMap<string, readonly (Values | Missing)[]>;

interface Compared {
  /** Name of the limit, the peer, or another version. */
  with: string;
  /** Median; null if it was not measured, for the reason in `note`. */
  value: number | null;
  /** Median of the ratios of the rounds. */
  ratio: number | null;
  /** Largest ratio that is not marked. */
  most: number | null;
  isOver: boolean;
  note: string | null;
}

export interface ReportedFigure {
  figure: string;
  unit: string;
  /** A value each round; empty if it was not measured, for the reason in `note`. */
  values: number[];
  median: number | null;
  note: string | null;
  compared: Compared[];
}

/** Compares each figure with its limit, its peers, and the same figure of another version. */
export function compare(
  figures: readonly Figure[],
  samples: Samples,
  other: { name: string; samples: Samples } | null = null,
): ReportedFigure[] {
  return figures.map(({ name, of, unit, limit, peers }) => {
    const own = read(samples, of);
    if (own.values.length === 0) return { figure: name, unit, ...own, median: null, compared: [] };
    const compared: Compared[] = [];
    if (limit !== undefined) {
      const ratio = median(own.values) / limit;
      const isOver = ratio > 1;
      compared.push({ with: 'limit', value: limit, ratio, most: 1, isOver, note: null });
    }
    for (const peer of peers)
      compared.push(compareWith(own.values, peer.name, read(samples, peer.of), peer.most));
    if (other) compared.push(compareWith(own.values, other.name, read(other.samples, of)));
    return { figure: name, unit, ...own, median: median(own.values), compared };
  });
}

function compareWith(
  own: readonly number[],
  name: string,
  peer: { values: number[]; note: string | null },
  most?: number,
): Compared {
  const rounds = Math.min(own.length, peer.values.length);
  // A run of one round stands beside each round of the other.
  const ratios =
    rounds === 1
      ? [median(own) / median(peer.values)]
      : own.slice(0, rounds).map((value, i) => value / (peer.values[i] ?? Number.NaN));
  const ratio = rounds > 0 ? median(ratios) : null;
  return {
    with: name,
    value: peer.values.length > 0 ? median(peer.values) : null,
    ratio,
    most: most ?? null,
    isOver: ratio !== null && most !== undefined && ratio > most,
    note: peer.note,
  };
}

function read(samples: Samples, of: string): { values: number[]; note: string | null } {
  const [run = '', value = ''] = of.split('.');
  const values: number[] = [];
  let note: string | null = null;
  for (const sample of samples.get(run) ?? []) {
    if (isMissing(sample)) note = sample.missing;
    else if (sample[value] !== undefined) values.push(sample[value]);
  }
  return { values, note: values.length === 0 ? (note ?? 'not measured') : null };
}

const isMissing = (sample: Values | Missing): sample is Missing => 'missing' in sample;

const HEAD = ['figure', 'median', 'beside', 'its median', 'ratio', ''];

/** Formats the table: a row for each comparison, the figure in the first one. */
export function formatReport(reported: readonly ReportedFigure[]): string[] {
  const rows = reported.flatMap((figure): string[][] => {
    const show = (value: number | null) => formatValue(value, figure.unit);
    const compared = figure.compared.map((each) => [
      each.with,
      each.note ?? show(each.value),
      each.ratio === null ? '' : `${each.ratio.toFixed(each.ratio < 10 ? 2 : 0)} ×`,
      describeMark(each),
    ]);
    const first = [figure.figure, figure.note ?? show(figure.median)];
    const [beside = ['', '', '', ''], ...rest] = compared;
    return [[...first, ...beside], ...rest.map((cells) => ['', '', ...cells])];
  });
  return formatMarkdownTable(HEAD, rows);
}

const describeMark = ({ isOver, most, with: name }: Compared): string => {
  if (most === null) return '';
  if (!isOver) return name === 'limit' ? '' : `at most ${most} ×`;
  return name === 'limit' ? 'over' : `over ${most} ×`;
};

function formatValue(value: number | null, unit: string): string {
  if (value === null) return '';
  return `${value.toFixed(unit === 'MB' ? 0 : value < 1 ? 3 : 2)} ${unit}`;
}
