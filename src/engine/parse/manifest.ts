import type { ManifestEntry, ManifestFacts } from '../languages/facts.ts';
import type { ParsedFile } from './types.ts';

/** What is kept of one manifest, and of a name in it, in UTF-16 units. Whoever resolves an import may look at all of them. */
const MOST_ENTRIES = 2_000;
const MOST_TARGETS = 64;
const LONGEST_NAME = 1_000;
/** UTF-16 units of what a parser has to say of a text. */
const LONGEST_CAUSE = 200;

/** A manifest as a file without chunks; one that cannot be read, as `read` says by what it throws, says nothing. */
export async function readManifest(read: () => Promise<ManifestEntry[]>): Promise<ParsedFile> {
  try {
    const all = await read();
    const entries = all.filter(isShort).slice(0, MOST_ENTRIES);
    const left = all.length - entries.length;
    const problem = left === 0 ? null : `${left} of its entries are too long or too many`;
    return manifestFile({ entries, problem });
  } catch (error) {
    const [cause = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return manifestFile({ entries: [], problem: cause.slice(0, LONGEST_CAUSE) });
  }
}

/** A manifest on which its reader failed for want of time or memory. */
export function unreadManifest(): ParsedFile {
  return manifestFile({ entries: [], problem: 'reading it takes too long, or too much memory' });
}

function isShort({ name, to }: ManifestEntry): boolean {
  return to.length <= MOST_TARGETS && [name, ...to].every((text) => text.length <= LONGEST_NAME);
}

function manifestFile(manifest: ManifestFacts): ParsedFile {
  return {
    chunks: [],
    facts: { imports: [], bindings: [], references: [], manifest },
    termCounts: { terms: [], offsets: new Uint32Array(1), entries: new Uint32Array(0) },
    lines: 0,
    generated: false,
    errors: manifest.problem === null ? 0 : 1,
  };
}
