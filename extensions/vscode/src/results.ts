/** What `locus` answers, read with the project's own schema, as the nodes of a tree. No part of VS Code is needed here. */
import { z } from 'zod';
import { type ListEntry, locusList } from '../../../src/services/exchange/list.ts';
import { addressOf } from '../../../src/shared/address.ts';
import type { Neighborhood } from '../../../src/shared/call-graph.ts';
import { CHUNK_KINDS } from '../../../src/shared/chunk.ts';
import { reasons } from '../../../src/shared/evidence.ts';
import { LocusFailure } from './locus.ts';

export interface Place {
  /** Relative to the folder that was searched, with forward slashes. */
  path: string;
  /** 1-based, the last one included. */
  startLine: number;
  endLine: number;
  kind: (typeof CHUNK_KINDS)[number];
}

export type Node =
  | (Place & {
      type: 'result';
      address: string;
      label: string;
      reasons: string[];
      rank: number | null;
    })
  | { type: 'reason'; label: string }
  | { type: 'calls'; label: 'Callers' | 'Callees'; of: string }
  | (Place & { type: 'neighbor'; address: string; label: string; guess: boolean });

export interface Found {
  title: string;
  results: Extract<Node, { type: 'result' }>[];
  /** The repository was not fully indexed yet. */
  partial: boolean;
}

/** The arguments that ask for the results of an issue, which is given on standard input. */
export const searchArguments = (folder: string, limit: number): string[] => [
  ...['export', folder, '--file', '-', '--format', 'json', '--limit', String(limit), '--json'],
];

export const neighborArguments = (
  folder: string,
  address: string,
  label: 'Callers' | 'Callees',
): string[] => [
  ...['neighbors', folder, address, label === 'Callers' ? '--callers' : '--callees', '--json'],
];

/** @throws LocusFailure when it is not what this version of the extension understands. */
export function readFound(text: string): Found {
  const list = parsed(locusList, text);
  return { title: list.issue.title, partial: list.partial, results: list.chunks.map(resultOf) };
}

function resultOf(entry: ListEntry): Found['results'][number] {
  const { rank, path, startLine, endLine, kind } = entry;
  const address = addressOf(entry);
  return {
    ...{ type: 'result', address, label: labelOf(entry), reasons: reasons(entry), rank },
    ...{ path, startLine, endLine, kind },
  };
}

/** The code of a file outside of definitions has the name of the file. */
const labelOf = ({
  kind,
  path,
  qualifiedName,
}: Pick<ListEntry, 'kind' | 'path' | 'qualifiedName'>): string =>
  kind === 'module' ? path.slice(path.lastIndexOf('/') + 1) : qualifiedName;

/** What is read of a neighbourhood; it is `Neighborhood` as far as this goes. */
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

/** The chunks around another one, nearest in the file first as `locus` has them. */
export function readNeighbors(text: string): Extract<Node, { type: 'neighbor' }>[] {
  const { center, nodes, edges } = parsed(neighborhood, text);
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
        label: labelOf(node),
        guess,
        path,
        startLine,
        endLine,
        kind,
      };
    });
}

/** The reasons of a result, then its callers and callees, which are asked for when they are opened. */
export function childrenOf(node: Extract<Node, { type: 'result' }>): Node[] {
  const { address } = node;
  return [
    ...node.reasons.map((label): Node => ({ type: 'reason', label })),
    { type: 'calls', label: 'Callers', of: address },
    { type: 'calls', label: 'Callees', of: address },
  ];
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // It is said below.
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new LocusFailure(
    'locus answered something that this extension does not understand',
    'bring Locus and the extension to the same version',
  );
}
