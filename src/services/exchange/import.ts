/** Opens an exported list against another checkout and says where each of its chunks is now. */
import { z } from 'zod';
import type { AnchorMatches } from '../../shared/anchors.ts';
import type { HashedChunk } from '../../shared/chunk.ts';
import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import { quoted } from '../../shared/quoted.ts';
import type { Answering } from '../../shared/repository.ts';
import { LIST_FORMAT, LIST_VERSION, type ListEntry, type LocusList, locusList } from './list.ts';
import { damaged, notAList, notJson } from './list-errors.ts';

/** Bytes of a list file at most. */
export const MAX_LIST_BYTES = 50_000_000;

export const ANCHOR_STATES = ['same', 'moved', 'changed', 'moved and changed', 'gone'] as const;
export type AnchorState = (typeof ANCHOR_STATES)[number];

/** What is known of a chunk elsewhere, enough to find it here. */
export type Anchorable = Pick<
  ListEntry,
  'path' | 'qualifiedName' | 'ordinal' | 'kind' | 'contentHash'
>;

export interface AnchoredEntry<Entry extends Anchorable = ListEntry> {
  /** As the list has it. */
  entry: Entry;
  state: AnchorState;
  /** The chunk here; null when it is gone. */
  now: HashedChunk | null;
  /** What a person should know of the choice: other candidates, where the old code went. */
  detail: string | null;
}

export interface ImportReport {
  list: Omit<LocusList, 'chunks'>;
  counts: Record<AnchorState, number>;
  entries: AnchoredEntry[];
}

/**
 * Parses a list file's text.
 *
 * @param name what to call it in errors.
 * @throws LocusError `bad-input` when it is not JSON, not a list, of a newer version, or damaged.
 */
export function readList(text: string, name: string): LocusList {
  if (text.length > MAX_LIST_BYTES) {
    throw new LocusError(
      'bad-input',
      `${name} is larger than ${MAX_LIST_BYTES / 1e6} MB`,
      'export fewer results with --limit',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw notJson(text, name, error);
  }
  const head = z.object({ format: z.string(), version: z.number() }).safeParse(value);
  if (!head.success || head.data.format !== LIST_FORMAT) throw notAList(value, name);
  if (head.data.version !== LIST_VERSION) {
    throw new LocusError(
      'bad-input',
      `${name} is a list of version ${head.data.version}. This Locus reads version ${LIST_VERSION}.`,
      'Export the list again with this version, or use the one that wrote it.',
    );
  }
  const list = locusList.safeParse(value);
  if (!list.success) throw damaged(value, name, list.error.issues);
  return list.data;
}

/**
 * Finds each entry of a list in a repository. In order: the chunk at its place (same path, qualified name and
 * ordinal), the same code elsewhere, a chunk of its name elsewhere. A chunk here stands for one entry at most.
 */
export async function anchorList(list: LocusList, repository: Answering): Promise<ImportReport> {
  const { chunks, ...head } = list;
  const matches = await repository.resolveAnchors({
    anchors: chunks.map(({ path, qualifiedName, ordinal, contentHash }) => ({
      path,
      qualifiedName,
      ordinal,
      contentHash,
    })),
  });
  const entries = anchorEntries(chunks, matches);
  const counts = Object.fromEntries(
    ANCHOR_STATES.map((state) => [state, entries.filter((entry) => entry.state === state).length]),
  ) as Record<AnchorState, number>;
  return { list: head, counts, entries };
}

/** The decisions of `anchorList`; `matches` is parallel to `entries`. */
export function anchorEntries<Entry extends Anchorable>(
  entries: readonly Entry[],
  matches: readonly AnchorMatches[],
): AnchoredEntry<Entry>[] {
  const open = entries.map((entry, i): Unplaced<Entry> => {
    return { entry, matches: present(matches[i], 'the matches of an entry'), found: null };
  });
  const taken = new Set<string>();
  const free = (chunk: HashedChunk) => !taken.has(chunk.address);
  // The surest rule first for all entries, so that none takes a chunk that another one has a better claim to.
  for (const rule of [
    unchangedInPlace,
    shiftedRedefinition,
    changedInPlace,
    sameCodeElsewhere,
    sameNameElsewhere,
  ]) {
    for (const each of open) {
      if (each.found) continue;
      const { inPlace, sameContent, sameName } = each.matches;
      const found = rule(each.entry, {
        inPlace: inPlace && free(inPlace) ? inPlace : null,
        sameContent: sameContent.filter(free),
        sameName: sameName.filter(free),
      });
      if (!found?.now) continue;
      taken.add(found.now.address);
      each.found = found;
    }
  }
  return open.map(({ entry, found }) => found ?? { entry, state: 'gone', now: null, detail: null });
}

/** An entry while the rules go over it. */
interface Unplaced<Entry extends Anchorable> {
  entry: Entry;
  matches: AnchorMatches;
  found: AnchoredEntry<Entry> | null;
}

type Rule = <Entry extends Anchorable>(
  entry: Entry,
  matches: AnchorMatches,
) => AnchoredEntry<Entry> | null;

const unchangedInPlace: Rule = (entry, { inPlace: now }) =>
  now?.contentHash === entry.contentHash ? { entry, state: 'same', now, detail: null } : null;

/** A definition of the same name came before or went away, so that the same code now counts as another redefinition. */
const shiftedRedefinition: Rule = (entry, { sameContent }) => {
  const now = sameContent.find(
    (chunk) => chunk.path === entry.path && chunk.qualifiedName === entry.qualifiedName,
  );
  return now
    ? { entry, state: 'same', now, detail: 'another definition of this name came or went' }
    : null;
};

const changedInPlace: Rule = (entry, { inPlace: now, sameContent }) => {
  if (!now) return null;
  const detail = sameContent[0] ? `its former code is at ${quoted(sameContent[0].address)}` : null;
  return { entry, state: 'changed', now, detail };
};

const sameCodeElsewhere: Rule = (entry, { sameContent }) => {
  // Many files hold the same few imports, or nothing at all: that says nothing about where a file went.
  if (entry.kind === 'module' && sameContent.length > 1) return null;
  const now = nearest(entry, sameContent);
  const others = sameContent.length - 1;
  const detail =
    others > 0 ? `${others} other ${others > 1 ? 'places have' : 'place has'} the same code` : null;
  return now ? { entry, state: 'moved', now, detail } : null;
};

const sameNameElsewhere: Rule = (entry, { sameName }) => {
  const qualified = sameName.filter((chunk) => chunk.qualifiedName === entry.qualifiedName);
  const candidates = qualified.length > 0 ? qualified : sameName;
  const [now, ...others] = candidates;
  if (!now || others.length > 0) return null;
  return { entry, state: 'moved and changed', now, detail: 'the only one of this name' };
};

/** The candidate whose qualified name and path have most in common with the entry's. */
function nearest(entry: Anchorable, candidates: readonly HashedChunk[]): HashedChunk | null {
  const likeness = (chunk: HashedChunk) =>
    (chunk.qualifiedName === entry.qualifiedName ? 100 : 0) +
    commonSegments(chunk.path, entry.path);
  return candidates.reduce<HashedChunk | null>(
    (best, chunk) => (best && likeness(best) >= likeness(chunk) ? best : chunk),
    null,
  );
}

function commonSegments(a: string, b: string): number {
  const segments = new Set(b.split('/'));
  return a.split('/').filter((segment) => segments.has(segment)).length;
}
