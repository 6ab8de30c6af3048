/**
 * Reads from git how the newest commits descend from each other, and which tags there are. All functions reject with `GitFailure` and
 * LocusError `cancelled`.
 */
import { GitFailure, git } from '../../base/git/git.ts';
import { parseRemote } from '../../shared/remote-url.ts';
import { listTickets } from './tickets.ts';

/** Maximum number of commits to look at; those that are stored come from as many. */
const MAX_COMMITS = 20_000;
const MAX_LISTED_BYTES = 1 << 25;
const MAX_MERGES = 5_000;
const MAX_TAGS = 20_000;

export interface Tag {
  name: string;
  commit: string;
}

/** Lists the tags of commits. */
export async function listTags(root: string, signal?: AbortSignal): Promise<Tag[]> {
  const format =
    '%(refname:strip=2)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)';
  const args = [`--count=${MAX_TAGS}`, `--format=${format}`, 'refs/tags'];
  const call = ['for-each-ref', '--sort=-creatordate', ...args] as const;
  const output = await git(root, call, { maxBytes: MAX_LISTED_BYTES, signal });
  return output
    .toString('utf8')
    .split('\n')
    .flatMap((line): Tag[] => {
      const [name = '', type, id = '', tagged, taggedId = ''] = line.split('\0');
      if (type === 'commit') return [{ name, commit: id }];
      return tagged === 'commit' ? [{ name, commit: taggedId }] : [];
    });
}

/** Lists the last parts of the names of a repository's remotes, in lower case. */
export async function listRemoteNames(root: string, signal?: AbortSignal): Promise<string[]> {
  try {
    const call = ['config', '--get-regexp', String.raw`^remote\..*\.url$`] as const;
    const lines = (await git(root, call, { signal })).toString('utf8').split('\n');
    return lines.flatMap((line) => {
      const remote = parseRemote(line.slice(line.indexOf(' ') + 1));
      return remote?.path.split('/').at(-1)?.toLowerCase() ?? [];
    });
  } catch (error) {
    // Git fails if there is no remote.
    if (error instanceof GitFailure && error.gitRefused) return [];
    throw error;
  }
}

/** The newest ancestors of a commit, and those of tags. */
export class Ancestry {
  readonly head: string;
  /** Parents by commit. */
  readonly #parents: ReadonlyMap<string, readonly string[]>;
  readonly #root: string;
  /** The newest ancestors of the head, itself included. */
  readonly #reached: ReadonlySet<string>;

  private constructor(root: string, head: string, parents: ReadonlyMap<string, string[]>) {
    this.#root = root;
    this.head = head;
    this.#parents = parents;
    this.#reached = this.#reach([head], new Set());
  }

  /** @param others commits that need not be ancestors */
  static async read(
    root: string,
    head: string,
    others: readonly string[],
    signal?: AbortSignal,
  ): Promise<Ancestry> {
    const args = ['--parents', `--max-count=${MAX_COMMITS}`, '--end-of-options'];
    const call = ['rev-list', ...args, head, ...others, '--'] as const;
    const output = await git(root, call, { maxBytes: MAX_LISTED_BYTES, signal });
    const parents = new Map<string, string[]>();
    for (const line of output.toString('latin1').split('\n')) {
      const [commit, ...of] = line.split(' ');
      if (commit) parents.set(commit, of);
    }
    return new Ancestry(root, head, parents);
  }

  /**
   * Lists the ancestors of `to` that `from` lacks, among those of the head: a release may be on a branch of its own. Empty if one of
   * the two is later than the head, or `from` too old.
   */
  listBetween(from: string, to: string): string[] {
    const [before, after] = [from, to].map((commit) => this.#reach([commit], new Set()));
    const isLater = (of: ReadonlySet<string> | undefined, commit: string) =>
      commit !== this.head && (of?.has(this.head) ?? true);
    if (!before || !after || isLater(before, from) || isLater(after, to)) return [];
    if (!before.values().some((commit) => this.#reached.has(commit))) return [];
    return [...after.difference(before).intersection(this.#reached)];
  }

  /** Lists the commits that a merge brought, without the merge itself; empty if the commit is not a merge among the head's ancestors. */
  listMerged(merge: string): string[] {
    const [first, ...merged] = this.#parents.get(merge) ?? [];
    if (!first || merged.length === 0 || !this.#reached.has(merge)) return [];
    return [...this.#reach(merged, this.#reach([first], new Set()))];
  }

  /** Returns the full id of a merge whose id begins with `id`; undefined if no merge does. */
  findMerge(id: string): string | undefined {
    return this.#listMerges().find((merge) => merge.startsWith(id));
  }

  /** Finds the newest merges whose messages name one of these tickets. */
  async findMergesByTicket(
    tickets: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<Map<string, string[]>> {
    const merges = tickets.size === 0 ? [] : this.#listMerges().slice(0, MAX_MERGES);
    const found = new Map<string, string[]>();
    if (merges.length === 0) return found;
    const input = merges.map((merge) => `${merge}\n`).join('');
    const args = ['--no-walk=unsorted', '--encoding=UTF-8', '--format=%x00%H%n%B', '--stdin'];
    const options = { input, maxBytes: MAX_LISTED_BYTES, signal };
    const output = (await git(this.#root, ['rev-list', ...args], options)).toString('utf8');
    for (const record of output.split('\0').slice(1)) {
      const [merge = '', ...message] = record.split('\n');
      for (const ticket of listTickets(message.join('\n'))) {
        if (tickets.has(ticket)) found.set(ticket, [...(found.get(ticket) ?? []), merge]);
      }
    }
    return found;
  }

  #listMerges(): string[] {
    return [...this.#parents]
      .filter(([commit, parents]) => parents.length > 1 && this.#reached.has(commit))
      .map(([commit]) => commit);
  }

  /** Returns the commits that these reach, themselves included, without those in `except`. */
  #reach(from: readonly string[], except: ReadonlySet<string>): Set<string> {
    const reached = new Set<string>();
    const next = [...from];
    for (let commit = next.pop(); commit !== undefined; commit = next.pop()) {
      const parents = this.#parents.get(commit);
      if (!parents || reached.has(commit) || except.has(commit)) continue;
      reached.add(commit);
      next.push(...parents);
    }
    return reached;
  }
}
