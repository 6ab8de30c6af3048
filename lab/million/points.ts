/** What is measured of one folder and of a set of folders, and which sets those are. */
import { z } from 'zod';

/** Functions at which the costs are noted. */
export const RUNGS = [10_000, 30_000, 100_000, 300_000, 1_000_000];

/** Indexing one folder, in a process of its own. Times in seconds, memory and disk in MiB. */
export const indexedFolder = z.object({
  root: z.string(),
  files: z.number(),
  /** Functions and methods; `chunks` are these, classes, and the code outside of definitions. */
  functions: z.number(),
  chunks: z.number(),
  /** MB (10⁶ bytes) of sources. */
  megabytes: z.number(),
  seconds: z.number(),
  /** Of all threads. */
  processorSeconds: z.number(),
  phases: z.record(z.string(), z.number()),
  peakMemory: z.number(),
  database: z.number(),
});
export type IndexedFolder = z.output<typeof indexedFolder>;

/** Folders that were never indexed, opened together: until a search has a result, and what that rests on. */
export const firstResults = z.object({
  seconds: z.number(),
  processorSeconds: z.number(),
  chunks: z.number(),
});
export type FirstResults = z.output<typeof firstResults>;

/** Folders that are indexed, opened together as a window does. Times in seconds, those of the processor of all threads. */
export const openSet = z.object({
  /** Until a search of all of them is answered. */
  opened: z.number(),
  openedProcessor: z.number(),
  /** Until all files were looked at for changes and are followed. */
  current: z.number(),
  search: z.array(z.number()),
  /** For each search, in the mean. */
  searchProcessor: z.number(),
  /** From the write of a file until a search shows it. */
  edit: z.number(),
  editProcessor: z.number(),
  /** MiB, after the searches and some quiet. */
  idleMemory: z.number(),
  peakMemory: z.number(),
});
export type OpenSet = z.output<typeof openSet>;

/** What bounds the costs on this machine. */
export const limits = z.object({
  /** MB of sources a second: read and parsed by all threads, nothing stored. */
  parsing: z.number(),
  /** The same a second of processor time. */
  parsingProcessor: z.number(),
  /** GB a second that one thread reads of memory. */
  memory: z.number(),
  /** MB a second that are written, and on the disk. */
  disk: z.number(),
});
export type Limits = z.output<typeof limits>;

/** A set of folders with all that was measured of it. */
export interface Point {
  folders: IndexedFolder[];
  first: FirstResults;
  open: OpenSet;
}

/** A sum over the folders of a set. */
export function total(
  folders: readonly IndexedFolder[],
  of: Exclude<keyof IndexedFolder, 'root' | 'phases'>,
): number {
  return folders.reduce((sum, folder) => sum + folder[of], 0);
}

/** Whether the last of these folders brings their functions to a rung that those before it did not reach. */
export function reachesRung(functions: readonly number[], rungs: readonly number[]): boolean {
  const sum = functions.reduce((a, b) => a + b, 0);
  const before = sum - (functions.at(-1) ?? 0);
  return rungs.some((rung) => before < rung && rung <= sum);
}
