/** Finds chunks by address, line or name, and summarizes them for responses. */
import {
  type AddressParts,
  formatAddress,
  interpretAddress,
  interpretName,
  splitAddress,
} from '../../shared/address.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoteText } from '../../shared/quote.ts';
import { findLanguage } from '../languages/index.ts';
import type { IndexedChunk, SearchIndex } from './types.ts';

export function summarizeChunk(chunk: IndexedChunk): ChunkSummary {
  const { path, qualifiedName, ordinal, name, kind, language, role, cell, startLine, endLine } =
    chunk;
  const shownName = findShownName(chunk);
  return {
    address: formatAddress(chunk),
    path,
    qualifiedName,
    ordinal,
    name,
    kind,
    language,
    role,
    startLine,
    endLine,
    ...(shownName !== undefined && { shownName }),
    ...(cell !== undefined && { cell }),
  };
}

/** Returns the summary of the chunk in a slot, with its package in a repository with several. */
export function summarizeInPackage(
  slot: number,
  index: SearchIndex,
): ChunkSummary & { package?: string } {
  const summary = summarizeChunk(index.getChunk(slot));
  const packageName = index.packages.getPackageName(summary.path);
  return { ...summary, ...(packageName !== null && { package: packageName }) };
}

/** Returns the name of a definition in which the file's name replaces a missing one; undefined if no name is missing. */
export function findShownName({ path, qualifiedName }: IndexedChunk): string | undefined {
  const [first = ''] = qualifiedName.split('.', 1);
  const unnamed = findLanguage(path)?.names.unnamed;
  const name = first === unnamed?.name && unnamed.readName(path);
  return name ? name + qualifiedName.slice(first.length) : undefined;
}

/**
 * Returns the slot of the chunk that a user names: by address, by `path:line` (the innermost chunk there), or by a qualified or
 * simple name, or else an alias, that only one chunk has. A path may be shortened to its last segments if that is unambiguous.
 * @throws LocusError `not-found`; `ambiguous` with the candidates.
 */
export function findChunk(index: SearchIndex, text: string): number {
  const found = findByAddress(index, text) ?? findByLine(index, text) ?? findByName(index, text);
  if (found === undefined) {
    throw new LocusError(
      'not-found',
      `No function, method or class is called ${quoteText(text)}.`,
      'Name it as search prints it: path::Qualified.name, path:line, or a name that occurs once.',
    );
  }
  return found;
}

export function findSlot(index: SearchIndex, address: string): number | undefined {
  return findFirstSlot(index, interpretAddress(address));
}

function findFirstSlot(index: SearchIndex, places: readonly AddressParts[]): number | undefined {
  for (const place of places) {
    const slot = findSlotByParts(index, place);
    if (slot !== undefined) return slot;
  }
  return undefined;
}

export function findSlotByParts(
  index: SearchIndex,
  { path, qualifiedName, ordinal }: AddressParts,
): number | undefined {
  return index.getSlotsByPath(path).find((slot) => {
    const chunk = index.getChunk(slot);
    return chunk.qualifiedName === qualifiedName && chunk.ordinal === ordinal;
  });
}

function findByAddress(index: SearchIndex, text: string): number | undefined {
  const slot = findSlot(index, text);
  if (slot !== undefined) return slot;
  const { path, name } = splitAddress(text);
  const known = path && name && matchPath(index, path);
  if (!known) return undefined;
  return (
    findFirstSlot(index, interpretName(known, name)) ??
    index.getSlotsByPath(known).find((slot) => {
      const chunk = index.getChunk(slot);
      return chunk.alias === name || findShownName(chunk) === name;
    })
  );
}

function findByLine(index: SearchIndex, text: string): number | undefined {
  const [, start, line] = /^(.+?):(\d+)(?::\d+)?$/s.exec(text) ?? [];
  const path = start && matchPath(index, start);
  return path ? findInnermost(index, path, Number(line)) : undefined;
}

/** Returns the innermost chunk of a file that contains a line (1-based), or undefined past the end of the file. */
export function findInnermost(index: SearchIndex, path: string, line: number): number | undefined {
  return index
    .getSlotsByPath(path)
    .filter((slot) => {
      const { startLine, endLine } = index.getChunk(slot);
      return startLine <= line && line <= endLine;
    })
    .at(-1);
}

function findByName(index: SearchIndex, text: string): number | undefined {
  const simple = text.slice(text.lastIndexOf('.') + 1);
  const candidates = index.getSlotsByName(simple).filter((slot) => {
    const chunk = index.getChunk(slot);
    const { qualifiedName } = chunk;
    const isIn = qualifiedName === text || qualifiedName.endsWith(`.${text}`);
    return isIn || findShownName(chunk) === text;
  });
  const named = candidates.length > 0 ? candidates : index.getSlotsByAlias(text);
  return requireUnique(text, named, (slot) => formatAddress(index.getChunk(slot)));
}

/** Returns the indexed path that equals this one (also with backslashes as separators), or the only one that ends with it. */
function matchPath(index: SearchIndex, path: string): string | undefined {
  // A file name may contain a backslash.
  if (index.getSlotsByPath(path).length > 0) return path;
  const normal = path.replaceAll('\\', '/').replace(/^\.\//, '');
  if (index.getSlotsByPath(normal).length > 0) return normal;
  const candidates = [...index.getPaths()].filter((known) => known.endsWith(`/${normal}`));
  return requireUnique(path, candidates, (known) => known);
}

function requireUnique<T>(
  text: string,
  candidates: readonly T[],
  label: (item: T) => string,
): T | undefined {
  if (candidates.length <= 1) return candidates[0];
  const shown = candidates
    .slice(0, 5)
    .map((one) => quoteText(label(one)))
    .join(', ');
  const more = candidates.length > 5 ? `, … (${candidates.length} in all)` : '';
  throw new LocusError(
    'ambiguous',
    `${quoteText(text)} could be ${shown}${more}.`,
    'Enter the full name of one of them.',
  );
}
