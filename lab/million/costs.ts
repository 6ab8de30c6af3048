/** Costs by the number of functions, with the limits of the machine. */
import { quantile } from '../bench/support/quantile.ts';
import { type Limits, type Point, total } from './points.ts';

/** Size of an embedding in memory in bytes: 512 numbers of one byte, and a scale. */
const EMBEDDING_BYTES = 516;

/** A line of a plot, with a value for each point. */
export interface Line {
  name: string;
  of: (point: Point, limits: Limits) => number;
  /** True for a limit of the machine instead of a cost. */
  isLimit?: boolean;
}

/** A panel of the plot and a group of rows of the table. */
export interface Cost {
  title: string;
  unit: 's' | 'ms' | 'MB';
  lines: Line[];
  /** Value that the cost should not exceed, in its unit. */
  goal?: number;
}

export const COSTS: readonly Cost[] = [
  {
    title: 'Indexed',
    unit: 's',
    lines: [
      { name: 'by the clock', of: ({ folders }) => total(folders, 'seconds') },
      { name: 'processor time', of: ({ folders }) => total(folders, 'processorSeconds') },
      {
        name: 'parsing alone, processor time',
        of: ({ folders }, { parsingProcessor }) => total(folders, 'megabytes') / parsingProcessor,
        isLimit: true,
      },
      {
        name: 'writing the indexes',
        of: ({ folders }, { disk }) => (total(folders, 'database') * 1.048576) / disk,
        isLimit: true,
      },
    ],
  },
  {
    title: 'Opened',
    unit: 's',
    goal: 3,
    lines: [
      { name: 'never indexed: first results', of: ({ first }) => first.seconds },
      { name: 'never indexed: processor time', of: ({ first }) => first.processorSeconds },
      { name: 'again: searched', of: ({ open }) => open.opened },
      { name: 'again: processor time', of: ({ open }) => open.openedProcessor },
      { name: 'again: all files looked at', of: ({ open }) => open.current },
    ],
  },
  {
    title: 'Search',
    unit: 'ms',
    goal: 120,
    lines: [
      { name: 'median', of: ({ open }) => 1000 * quantile(open.search, 0.5) },
      { name: '95th percentile', of: ({ open }) => 1000 * quantile(open.search, 0.95) },
      { name: 'processor time', of: ({ open }) => 1000 * open.searchProcessor },
      {
        name: 'reading all embeddings',
        of: ({ folders }, { memory }) =>
          (total(folders, 'chunks') * EMBEDDING_BYTES) / memory / 1e6,
        isLimit: true,
      },
    ],
  },
  {
    title: 'Edit',
    unit: 'ms',
    goal: 300,
    lines: [
      { name: 'in search after the save', of: ({ open }) => 1000 * open.edit },
      {
        name: 'processor time, waiting included',
        of: ({ open }) => 1000 * open.editProcessor,
      },
    ],
  },
  {
    title: 'Memory',
    unit: 'MB',
    goal: 2048,
    lines: [
      { name: 'open, idle', of: ({ open }) => open.idleMemory },
      { name: 'open, peak', of: ({ open }) => open.peakMemory },
      {
        name: 'indexing, peak of a folder',
        of: ({ folders }) => Math.max(...folders.map(({ peakMemory }) => peakMemory)),
      },
      {
        name: 'embeddings alone',
        of: ({ folders }) => (total(folders, 'chunks') * EMBEDDING_BYTES) / 2 ** 20,
        isLimit: true,
      },
    ],
  },
  {
    title: 'Disk',
    unit: 'MB',
    lines: [
      { name: 'indexes', of: ({ folders }) => total(folders, 'database') },
      { name: 'sources', of: ({ folders }) => total(folders, 'megabytes'), isLimit: true },
    ],
  },
];
