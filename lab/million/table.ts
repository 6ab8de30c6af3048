/** Formats the points as a Markdown table, with a column for each point and a row for each cost. */
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { COSTS, type Cost } from './costs.ts';
import { type Limits, type Point, total } from './points.ts';

export function formatTable(points: readonly Point[], limits: Limits): string[] {
  const count = (of: (point: Point) => number) =>
    points.map((point) => Math.round(of(point)).toLocaleString('en'));
  const head = ['functions', ...count(({ folders }) => total(folders, 'functions'))];
  const rate = ({ folders }: Point) => total(folders, 'functions') / total(folders, 'seconds');
  const rows = [
    ['chunks', ...count(({ folders }) => total(folders, 'chunks'))],
    ['repositories', ...count(({ folders }) => folders.length)],
    ['functions indexed a second', ...count(rate)],
    ['first results rest on chunks', ...count(({ first }) => first.chunks)],
    ...COSTS.flatMap((cost) =>
      cost.lines.map(({ name, of, isLimit }) => [
        `${cost.title}: ${isLimit ? `*${name}*` : name}`,
        ...points.map((point) => formatValue(of(point, limits), cost.unit)),
      ]),
    ),
  ];
  return [...formatMarkdownTable(head, rows), '', ...formatLimits(limits)];
}

/** Formats a value with three significant digits and a suitable unit. */
export function formatValue(value: number, unit: Cost['unit']): string {
  if (unit === 'ms' && value >= 10_000) return formatValue(value / 1000, 's');
  if (unit === 'MB' && value >= 10_000) return `${digits(value / 1024)} GB`;
  return `${digits(value)} ${unit}`;
}

const digits = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)));

function formatLimits({ parsing, parsingProcessor, memory, disk }: Limits): string[] {
  return [
    `In italics what the machine allows: parsing alone reads ${digits(parsing)} MB of sources a second`,
    `(${digits(parsingProcessor)} MB a second of processor time), one thread reads ${digits(memory)} GB of memory a second,`,
    `and ${digits(disk)} MB a second are written to the disk.`,
  ];
}
