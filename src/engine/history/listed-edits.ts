import { isSourcePath } from '../languages/index.ts';
import { MAX_NAMES_MEMORY } from '../source/limits.ts';
import { NO_BLOB, streamCommitRecords, UNQUOTED_NAMES } from './commit-records.ts';
import { MAX_COMMIT_FILES } from './diff-parser.ts';

export interface ListedEdits {
  commit: string;
  files: ListedFile[];
}

/** A file that a commit changes, with its blob ids: `before` is null for a new file, `after` for a deleted one. */
interface ListedFile {
  path: string;
  before: string | null;
  after: string | null;
}

/** Maximum bytes of a list of files; a commit with a longer list changes some ten thousand files. */
const MAX_LISTED = 1 << 21;

/** Lists the commits that change files that Locus indexes, unless they change too many. Rejects as `streamCommitRecords`. */
export async function listEdits(
  root: string,
  hashes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ListedEdits[]> {
  const args = ['-r', '--relative', '--raw', '--no-abbrev', '--no-renames', '--format=%x00%H'];
  const listed: ListedEdits[] = [];
  const limits = { maxBytes: MAX_LISTED, maxAllocation: MAX_NAMES_MEMORY };
  const options = { ...limits, settings: UNQUOTED_NAMES, signal };
  const records = streamCommitRecords(root, hashes, [...args, '--', '.'], options);
  for await (const { text, cut } of records) {
    const [commit, ...lines] = text.split('\n').filter(Boolean);
    const files = lines.map(parseListedFile).filter(({ path }) => isSourcePath(path));
    if (commit && !cut && files.length > 0 && files.length <= MAX_COMMIT_FILES)
      listed.push({ commit, files });
  }
  return listed;
}

/** Parses a line such as `:100644 100644 <before> <after> M<tab>path`. */
function parseListedFile(line: string): ListedFile {
  const name = line.indexOf('\t') + 1;
  const [, , before, after] = line.slice(0, name).split(' ');
  return { path: unquote(line.slice(name)), before: parseBlob(before), after: parseBlob(after) };
}

function parseBlob(id: string | undefined): string | null {
  return id && !NO_BLOB.test(id) ? id : null;
}

/** Removes quotes. Git quotes names with a quote, a backslash or a control character; only the extension matters here. */
function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1) : name;
}
