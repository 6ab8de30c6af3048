/** Finds chunks by address, line or name, and summarizes them for responses. */
import {
  addressOf,
  type ChunkPlace,
  placesOf,
  readingsOf,
  splitAddress,
} from '../../shared/address.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoted } from '../../shared/quoted.ts';
import type { IndexedChunk, SearchIndex } from './types.ts';

export function summaryOf(chunk: IndexedChunk): ChunkSummary {
  const { path, qualifiedName, ordinal, name, kind, language, role, startLine, endLine } = chunk;
  return {
    address: addressOf(chunk),
    path,
    qualifiedName,
    ordinal,
    name,
    kind,
    language,
    role,
    startLine,
    endLine,
  };
}

/**
 * Returns the slot of the chunk that a user names: by address, by `path:line` (the innermost chunk there), or by a qualified or
 * simple name that only one chunk has. A path may be shortened to its last segments if that is unambiguous.
 * @throws LocusError `not-found`; `ambiguous` with the candidates.
 */
export function findChunk(index: SearchIndex, text: string): number {
  const found = byAddress(index, text) ?? byLine(index, text) ?? byName(index, text);
  if (found === undefined) {
    throw new LocusError(
      'not-found',
      `No function, method or class is called ${quoted(text)}.`,
      'Name it as search prints it: path::Qualified.name, path:line, or a name that occurs once.',
    );
  }
  return found;
}

export function slotAt(index: SearchIndex, address: string): number | undefined {
  return firstSlot(index, readingsOf(address));
}

function firstSlot(index: SearchIndex, places: readonly ChunkPlace[]): number | undefined {
  for (const place of places) {
    const slot = slotInPlace(index, place);
    if (slot !== undefined) return slot;
  }
  return undefined;
}

export function slotInPlace(
  index: SearchIndex,
  { path, qualifiedName, ordinal }: ChunkPlace,
): number | undefined {
  return index.slotsByPath(path).find((slot) => {
    const chunk = index.chunk(slot);
    return chunk.qualifiedName === qualifiedName && chunk.ordinal === ordinal;
  });
}

function byAddress(index: SearchIndex, text: string): number | undefined {
  const slot = slotAt(index, text);
  if (slot !== undefined) return slot;
  const { path, name } = splitAddress(text);
  const known = path && name && matchPath(index, path);
  return known ? firstSlot(index, placesOf(known, name)) : undefined;
}

function byLine(index: SearchIndex, text: string): number | undefined {
  const [, start, line] = /^(.+?):(\d+)(?::\d+)?$/s.exec(text) ?? [];
  const path = start && matchPath(index, start);
  return path ? innermostAt(index, path, Number(line)) : undefined;
}

/** Returns the innermost chunk of a file that contains a line (1-based), or undefined past the end of the file. */
function innermostAt(index: SearchIndex, path: string, line: number): number | undefined {
  return index
    .slotsByPath(path)
    .filter((slot) => {
      const { startLine, endLine } = index.chunk(slot);
      return startLine <= line && line <= endLine;
    })
    .at(-1);
}

function byName(index: SearchIndex, text: string): number | undefined {
  const simple = text.slice(text.lastIndexOf('.') + 1);
  const candidates = index.slotsByName(simple).filter((slot) => {
    const { qualifiedName } = index.chunk(slot);
    return qualifiedName === text || qualifiedName.endsWith(`.${text}`);
  });
  return only(text, candidates, (slot) => addressOf(index.chunk(slot)));
}

/** Returns the indexed path that equals this one (also with backslashes as separators), or the only one that ends with it. */
function matchPath(index: SearchIndex, path: string): string | undefined {
  // A file name may contain a backslash.
  if (index.slotsByPath(path).length > 0) return path;
  const normal = path.replaceAll('\\', '/').replace(/^\.\//, '');
  if (index.slotsByPath(normal).length > 0) return normal;
  const candidates = [...index.paths()].filter((known) => known.endsWith(`/${normal}`));
  return only(path, candidates, (known) => known);
}

function only<T>(
  text: string,
  candidates: readonly T[],
  label: (item: T) => string,
): T | undefined {
  if (candidates.length <= 1) return candidates[0];
  const shown = candidates
    .slice(0, 5)
    .map((one) => quoted(label(one)))
    .join(', ');
  const more = candidates.length > 5 ? `, … (${candidates.length} in all)` : '';
  throw new LocusError(
    'ambiguous',
    `${quoted(text)} could be ${shown}${more}.`,
    'Enter the full name of one of them.',
  );
}
