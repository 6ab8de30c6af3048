import { accepts } from '../languages/index.ts';
import { MOST_NAMES_MEMORY } from '../source/limits.ts';
import { commitRecords, NO_BLOB, PLAIN_NAMES } from './commit-records.ts';
import { MAX_FILES } from './diff-parser.ts';

export interface ListedEdits {
  commit: string;
  files: ListedFile[];
}

/** Null for a blob that is not there: the file is new, or gone. */
interface ListedFile {
  path: string;
  before: string | null;
  after: string | null;
}

/** Bytes of a list of files; a commit with a longer one changes some ten thousand of them. */
const MAX_LISTED = 1 << 21;

/** Lists those of the commits that touch a file that Locus reads, and not too many. Rejects as `commitRecords`. */
export async function listEdits(
  root: string,
  hashes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ListedEdits[]> {
  const args = ['-r', '--relative', '--raw', '--no-abbrev', '--no-renames', '--format=%x00%H'];
  const listed: ListedEdits[] = [];
  const limits = { longest: MAX_LISTED, maxAllocation: MOST_NAMES_MEMORY };
  const options = { ...limits, settings: PLAIN_NAMES, signal };
  const records = commitRecords(root, hashes, [...args, '--', '.'], options);
  for await (const { text, cut } of records) {
    const [commit, ...lines] = text.split('\n').filter(Boolean);
    const files = lines.map(listedFile).filter(({ path }) => accepts(path));
    if (commit && !cut && files.length > 0 && files.length <= MAX_FILES)
      listed.push({ commit, files });
  }
  return listed;
}

/** `:100644 100644 <before> <after> M<tab>path` */
function listedFile(line: string): ListedFile {
  const name = line.indexOf('\t') + 1;
  const [, , before, after] = line.slice(0, name).split(' ');
  return { path: unquoted(line.slice(name)), before: blob(before), after: blob(after) };
}

function blob(id: string | undefined): string | null {
  return id && !NO_BLOB.test(id) ? id : null;
}

/** Git quotes a name with a quote, a backslash or a control character; its ending is what matters here. */
function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1) : name;
}
