/** Parses the output of `locus` with the project's own schemas into the nodes of a tree. Does not depend on VS Code. */
import { z } from 'zod';
import { type ListEntry, locusList } from '../../../src/services/exchange/list.ts';
import { formatAddress } from '../../../src/shared/address.ts';
import type { Neighborhood } from '../../../src/shared/call-graph.ts';
import { CHUNK_KINDS } from '../../../src/shared/chunk-kind.ts';
import { listReasons } from '../../../src/shared/evidence.ts';
import { LocusFailure } from './locus.ts';

export interface NodeLocation {
  /** Path relative to the searched folder, with forward slashes. */
  path: string;
  /** First line, 1-based. */
  startLine: number;
  /** Last line, inclusive. */
  endLine: number;
  kind: (typeof CHUNK_KINDS)[number];
}

export type ResultNode =
  | (NodeLocation & {
      type: 'result';
      address: string;
      label: string;
      reasons: string[];
      rank: number | null;
    })
  | { type: 'reason'; label: string }
  | { type: 'calls'; label: 'Callers' | 'Callees'; of: string }
  | (NodeLocation & { type: 'neighbor'; address: string; label: string; guess: boolean });

export interface SearchResults {
  title: string;
  results: Extract<ResultNode, { type: 'result' }>[];
  /** True if the repository is not fully indexed yet. */
  partial: boolean;
}

/** Returns the arguments of a search for an issue on standard input. */
export const buildSearchArguments = (folder: string, limit: number): string[] => [
  ...['export', folder, '--file', '-', '--format', 'json', '--limit', String(limit), '--json'],
];

export const buildNeighborArguments = (
  folder: string,
  address: string,
  label: 'Callers' | 'Callees',
): string[] => [
  ...['neighbors', folder, address, label === 'Callers' ? '--callers' : '--callees', '--json'],
];

/** Parses search results. @throws LocusFailure if this version of the extension does not understand them */
export function parseResults(text: string): SearchResults {
  const list = parse(locusList, text);
  return { title: list.issue.title, partial: list.partial, results: list.chunks.map(toResult) };
}

function toResult(entry: ListEntry): SearchResults['results'][number] {
  const { rank, path, startLine, endLine, kind } = entry;
  const address = formatAddress(entry);
  return {
    ...{ type: 'result', address, label: getLabel(entry), reasons: listReasons(entry), rank },
    ...{ path, startLine, endLine, kind },
  };
}

/** Returns the label of a chunk. Module code has the name of its file. */
const getLabel = ({
  kind,
  path,
  qualifiedName,
}: Pick<ListEntry, 'kind' | 'path' | 'qualifiedName'>): string =>
  kind === 'module' ? path.slice(path.lastIndexOf('/') + 1) : qualifiedName;

/** Part of `Neighborhood` that the extension uses. */
const neighborhood = z.object({
  center: z.string(),
  nodes: z.array(
    z.object({
      address: z.string(),
      path: z.string(),
      qualifiedName: z.string(),
      kind: z.enum(CHUNK_KINDS),
      startLine: z.int().min(1),
      endLine: z.int().min(1),
    }),
  ),
  edges: z.array(z.object({ caller: z.string(), callee: z.string(), guess: z.boolean() })),
});
neighborhood satisfies z.ZodType<Pick<Neighborhood, never>>;

/** Parses the callers or callees of a chunk, in the order of `locus`. */
export function parseNeighbors(text: string): Extract<ResultNode, { type: 'neighbor' }>[] {
  const { center, nodes, edges } = parse(neighborhood, text);
  const guessed = new Set(
    edges
      .filter(({ guess }) => guess)
      .map(({ caller, callee }) => (caller === center ? callee : caller)),
  );
  return nodes
    .filter(({ address }) => address !== center)
    .map((node) => {
      const { address, path, startLine, endLine, kind } = node;
      const guess = guessed.has(address);
      return {
        type: 'neighbor',
        address,
        label: getLabel(node),
        guess,
        path,
        startLine,
        endLine,
        kind,
      };
    });
}

/** Returns the nodes below a result: its reasons, then callers and callees, which are requested when opened. */
export function listChildren(node: Extract<ResultNode, { type: 'result' }>): ResultNode[] {
  const { address } = node;
  return [
    ...node.reasons.map((label): ResultNode => ({ type: 'reason', label })),
    { type: 'calls', label: 'Callers', of: address },
    { type: 'calls', label: 'Callees', of: address },
  ];
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below.
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new LocusFailure(
    'The extension does not understand the answer of locus.',
    'Install the same version of Locus and the extension.',
  );
}
