/** Measurements of one folder and of a set of folders, and the choice of sets. */
import { z } from 'zod';

/** Numbers of functions at which the costs are measured. */
export const RUNGS = [10_000, 30_000, 100_000, 300_000, 1_000_000];

/** Costs of indexing one folder, in a separate process. Times in seconds, memory and disk in MiB. */
export const indexedFolder = z.object({
  root: z.string(),
  files: z.number(),
  /** Number of functions and methods. `chunks` also counts classes and module code. */
  functions: z.number(),
  chunks: z.number(),
  /** Size of the sources in MB (10⁶ bytes). */
  megabytes: z.number(),
  seconds: z.number(),
  /** Processor time of all threads. */
  processorSeconds: z.number(),
  phases: z.record(z.string(), z.number()),
  peakMemory: z.number(),
  database: z.number(),
});
export type IndexedFolder = z.output<typeof indexedFolder>;

/** Time until a search in folders that were never indexed has a result, and the progress by then. */
export const firstResults = z.object({
  seconds: z.number(),
  processorSeconds: z.number(),
  chunks: z.number(),
});
export type FirstResults = z.output<typeof firstResults>;

/** Costs of indexed folders that a window opens as a workspace. Times in seconds; processor times of all threads. */
export const openSet = z.object({
  /** Time until a search of all folders is answered. */
  opened: z.number(),
  openedProcessor: z.number(),
  /** Time until all files are checked for changes and watched. */
  current: z.number(),
  search: z.array(z.number()),
  /** Mean processor time of a search. */
  searchProcessor: z.number(),
  /** Time from writing a file until a search shows the change. */
  edit: z.number(),
  editProcessor: z.number(),
  /** Memory in MiB, after the searches and some time without work. */
  idleMemory: z.number(),
  peakMemory: z.number(),
});
export type OpenSet = z.output<typeof openSet>;

/** Limits of this machine. */
export const limits = z.object({
  /** Sources in MB per second that all threads read and parse, without storing anything. */
  parsing: z.number(),
  /** The same per second of processor time. */
  parsingProcessor: z.number(),
  /** Memory in GB per second that one thread reads. */
  memory: z.number(),
  /** Data in MB per second that are written and flushed to disk. */
  disk: z.number(),
});
export type Limits = z.output<typeof limits>;

/** All measurements of a set of folders. */
export interface Point {
  folders: IndexedFolder[];
  first: FirstResults;
  open: OpenSet;
}

/** Returns a sum over the folders of a set. */
export function total(
  folders: readonly IndexedFolder[],
  of: Exclude<keyof IndexedFolder, 'root' | 'phases'>,
): number {
  return folders.reduce((sum, folder) => sum + folder[of], 0);
}

/** Returns true if these folders reach a rung that they do not reach without the last one. */
export function reachesRung(functions: readonly number[], rungs: readonly number[]): boolean {
  const sum = functions.reduce((a, b) => a + b, 0);
  const before = sum - (functions.at(-1) ?? 0);
  return rungs.some((rung) => before < rung && rung <= sum);
}
