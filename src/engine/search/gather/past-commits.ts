/** Resolves the commits, tickets and versions that an issue names to past commits of the snapshot. */
import { basename } from 'node:path';
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { HistoryIndex } from '../../history/history-index.ts';
import type { Issue } from '../../issue/issue.ts';
import type { HistoryMention } from '../../issue/mentions/history.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import type { SourceTree } from '../../source/types.ts';

/** The past commits that one mention stands for. */
export interface NamedCommits {
  kind: HistoryMention['kind'];
  span: IssueSpan;
  /** The commit, ticket or step between versions, for people: `#123`, `between 2.16.3 and 2.17.2`. */
  name: string;
  /** Indexes in `HistoryIndex.commits`, newest first; at least one. */
  commits: number[];
  /** Number of different definitions that they edited; at least one. */
  definitions: number;
}

/** Maximum number of commits of a ticket. A number that many messages contain is not that of one problem. */
const MAX_TICKET_COMMITS = 20;
/** Maximum number of definitions of a commit or ticket that become candidates. */
const MAX_CANDIDATES = 100;

/**
 * Returns the issue with what git knows about the commits that it names, if the stored commits do not tell. Only ancestors of the
 * snapshot's commit count.
 * @param name name of the repository, if it has no remote
 */
export async function followHistory(
  issue: Issue,
  { history }: SearchIndex,
  tree: Pick<SourceTree, 'root' | 'getHead'>,
  signal?: AbortSignal,
  name = basename(tree.root),
): Promise<Issue> {
  const { mentions } = issue;
  if (!history || !mentions.history.some((mention) => needsGit(mention, history))) return issue;
  const head = await tree.getHead(signal);
  if (head === null) return issue;
  // Imported only here: few issues name commits that only git knows.
  const { followMentions } = await import('./follow-history.ts');
  const followed = await followMentions(mentions.history, { root: tree.root, head, name }, signal);
  return { ...issue, mentions: { ...mentions, history: followed } };
}

function needsGit(mention: HistoryMention, history: HistoryIndex): boolean {
  if (mention.kind === 'versions') return true;
  return mention.kind === 'commit'
    ? history.findCommit(mention.id) === undefined
    : mention.repository !== null || history.getTicketCommits(mention.ticket).length === 0;
}

/** Resolves the mentions of an issue; leaves out those without a stored commit that edited a definition. */
export function resolveNamedCommits(issue: Issue, { history }: SearchIndex): NamedCommits[] {
  if (!history || issue.mentions.history.length === 0) return [];
  return issue.mentions.history.flatMap((mention) => {
    const commits = [...new Set(listCommits(mention, history))].sort((a, b) => a - b);
    if (mention.kind === 'ticket' && commits.length > MAX_TICKET_COMMITS) return [];
    const definitions = new Set(commits.flatMap((commit) => history.getCommit(commit).definitions));
    if (definitions.size === 0) return [];
    const { kind, span, followed } = mention;
    const isLink = mention.kind === 'ticket' && mention.repository !== null;
    const name = followed?.name ?? (isLink ? mention.ticket : span.text);
    return [{ kind, span, name, commits, definitions: definitions.size }];
  });
}

function listCommits(mention: HistoryMention, history: HistoryIndex): number[] {
  const { followed } = mention;
  const found = followed ? history.findCommits(followed.hashes) : [];
  if (mention.kind === 'commit') return [...found, history.findCommit(mention.id) ?? []].flat();
  // A link may lead to another repository, where the number stands for something else.
  const isHere = mention.kind === 'ticket' && (mention.repository === null || followed);
  return isHere ? [...found, ...history.getTicketCommits(mention.ticket)] : found;
}

/** Lists the chunks that commits and tickets edited, except those of large changes. */
export function listEditedSlots(named: readonly NamedCommits[], index: SearchIndex): number[] {
  const { history } = index;
  if (!history || named.length === 0) return [];
  const small = named.filter(({ definitions }) => definitions <= MAX_CANDIDATES);
  const commits = small.flatMap((one) => one.commits).map((commit) => history.getCommit(commit));
  const definitions = new Set(commits.flatMap((commit) => commit.definitions));
  const files = new Set(commits.flatMap((commit) => commit.files));
  const paths = history.getPaths().filter((_, file) => files.has(file));
  const isEdited = (chunk: IndexedChunk) => {
    const definition = history.findDefinition(chunk);
    return definition !== undefined && definitions.has(definition);
  };
  const slots = paths.flatMap((path) => index.getSlotsByPath(path));
  return slots.filter((slot) => isEdited(index.getChunk(slot))).slice(0, 2 * MAX_CANDIDATES);
}
