/** Encodes the edges of some files' chunks as a part, with callees by address. */
import { z } from 'zod';
import { boundedList, wellFormed } from '../../base/bounded-json.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { EDGE_KINDS } from '../../shared/call-graph.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { REGISTRATION_KINDS } from '../../shared/registration.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import { MAX_FILE_BYTES } from '../source/limits.ts';
import { count, parsePart, plainPath } from './part.ts';

/** Address of a chunk, which is the same on every machine. */
export type PortableAddress = [path: string, qualifiedName: string, ordinal: number];

export interface FileEdges {
  path: string;
  /** Reason, for display, why edges may be missing. */
  note: string | null;
  /** Edges in order, grouped by caller. */
  edges: PortableEdge[];
}

interface PortableEdge extends Omit<ResolvedEdge, 'caller' | 'callee'> {
  position: number;
  callee: PortableAddress;
}

/** Maximum number of items in a list, less than the number of bytes in a part. */
const MAX_ITEMS = 4_000_000;

/** Kind and key of a registration. */
const key = z.tuple([z.enum(REGISTRATION_KINDS), wellFormed(2000)]);

const numbers = z.custom<number[]>(
  (value) => Array.isArray(value) && value.every((one) => count.safeParse(one).success),
);

const part = z.strictObject({
  callees: boundedList(z.tuple([plainPath, wellFormed(MAX_FILE_BYTES), count]), MAX_ITEMS),
  files: boundedList(
    z.strictObject({
      path: plainPath,
      note: z.union([wellFormed(2000), z.null()]),
      /** Position of the caller, number of the callee, kind, guess, sites as alternating lines and columns, and keys. */
      edges: boundedList(
        z.tuple([
          count,
          count,
          z.enum(EDGE_KINDS),
          z.boolean(),
          numbers,
          boundedList(key, MAX_ITEMS),
        ]),
        MAX_ITEMS,
      ),
    }),
    MAX_ITEMS,
  ),
});

type EncodedEdges = z.infer<typeof part>;

export function encodeEdges(files: readonly FileEdges[]): Buffer {
  const callees: PortableAddress[] = [];
  const numbers = new Map<string, number>();
  const getNumber = (callee: PortableAddress) =>
    getOrAdd(numbers, callee.join('\0'), () => callees.push(callee) - 1);
  const encoded: EncodedEdges = {
    callees,
    files: files.map(({ path, note, edges }) => ({
      path,
      note,
      edges: edges.map(({ position, callee, kind, guess, sites, registered = [] }) => [
        position,
        getNumber(callee),
        kind,
        guess,
        sites.flatMap(({ line, column }) => [line, column]),
        registered.map((one): z.infer<typeof key> => [one.kind, one.key]),
      ]),
    })),
  };
  return Buffer.from(JSON.stringify(encoded));
}

/** @throws LocusError `bad-objects` */
export function decodeEdges(bytes: Buffer): FileEdges[] {
  const schema = part.refine(
    ({ callees, files }) =>
      files.every(({ edges }) =>
        edges.every(
          ([, callee, kind, , sites, keys]) =>
            callee < callees.length &&
            sites.length % 2 === 0 &&
            keys.length === (kind === 'register' ? sites.length / 2 : 0),
        ),
      ),
    'a call has no target',
  );
  const { callees, files } = parsePart(bytes, schema, 'calls');
  return files.map(({ path, note, edges }) => ({
    path,
    note,
    edges: edges.map(([position, callee, kind, guess, sites, keys]) => ({
      position,
      callee: assertPresent(callees[callee], 'a callee that was counted'),
      kind,
      guess,
      sites: toPairs(sites).map(([line, column]) => ({ line, column })),
      ...(keys.length > 0 && { registered: keys.map(([kind, key]) => ({ kind, key })) }),
    })),
  }));
}

function toPairs(numbers: readonly number[]): [number, number][] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => [
    assertPresent(numbers[2 * i], 'a line'),
    assertPresent(numbers[2 * i + 1], 'a column'),
  ]);
}
