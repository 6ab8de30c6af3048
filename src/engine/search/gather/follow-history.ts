/** Asks git what the commits, tickets and versions of an issue stand for. Loaded only for issues that name some. */
import { GitFailure } from '../../../base/git/git.ts';
import { Ancestry, listRemoteNames, listTags, type Tag } from '../../history/ancestry.ts';
import type { FollowedMention, HistoryMention } from '../../issue/mentions/history.ts';
import { readNumbers } from '../../issue/mentions/versions.ts';

/** Maximum number of merges of a ticket. */
const MAX_MERGES_EACH = 5;

interface FollowedRepository {
  root: string;
  /** Commit of the snapshot. No other commits than its ancestors are used. */
  head: string;
  /** Name of the repository, which its remotes may say too. */
  name: string;
}

/**
 * Adds to mentions what git knows about them. Makes at most four calls, which look at the newest 20,000 commits. Mentions of commits
 * that the repository lacks stay as they are, and so do all if git fails.
 */
export async function followMentions(
  mentions: readonly HistoryMention[],
  { root, head, name }: FollowedRepository,
  signal?: AbortSignal,
): Promise<HistoryMention[]> {
  try {
    const isAboutNames = mentions.some((one) => one.kind === 'versions' || isTicketLink(one));
    const hasVersions = mentions.some(({ kind }) => kind === 'versions');
    const [remotes, tags] = await Promise.all([
      isAboutNames ? listRemoteNames(root, signal) : [],
      hasVersions ? listTags(root, signal) : [],
    ]);
    const names = [...remotes, name.toLowerCase().replace(/\.git$/, '')];
    const here = mentions.filter((mention) => isHere(mention, names));
    const steps = here.flatMap((mention) => findStep(mention, tags, names) ?? []);
    const commits = steps.flatMap(({ from, to }) => [from.commit, to?.commit ?? []].flat());
    if (here.every(({ kind }) => kind === 'versions') && steps.length === 0) return [...mentions];
    const ancestry = await Ancestry.read(root, head, commits, signal);
    const followed = await followMerges(here, ancestry, signal);
    for (const step of steps) followStep(step, ancestry, followed);
    return mentions.map((mention) => {
      const found = followed.get(mention);
      return found ? { ...mention, followed: found } : mention;
    });
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return [...mentions];
  }
}

const isTicketLink = (mention: HistoryMention): boolean =>
  mention.kind === 'ticket' && mention.repository !== null;

/** Returns false for a link to another repository, and for versions of other programs. */
function isHere(mention: HistoryMention, names: readonly string[]): boolean {
  if (mention.kind === 'ticket')
    return mention.repository === null || names.includes(mention.repository.toLowerCase());
  if (mention.kind === 'commit') return true;
  const isOwn = (one: { program: string | null } | null) =>
    !one?.program || names.some((name) => squeeze(name).includes(squeeze(one.program ?? '')));
  return isOwn(mention.good) && isOwn(mention.bad);
}

const squeeze = (name: string): string => name.toLowerCase().replace(/[^\p{L}\d]/gu, '');

type FollowedMentions = Map<HistoryMention, FollowedMention>;

/** Finds the commits that merges brought, for merges that a mention names by id or ticket. */
async function followMerges(
  mentions: readonly HistoryMention[],
  ancestry: Ancestry,
  signal: AbortSignal | undefined,
): Promise<FollowedMentions> {
  const followed: FollowedMentions = new Map();
  const tickets = mentions.flatMap((one) => (one.kind === 'ticket' ? one.ticket : []));
  const merges = await ancestry.findMergesByTicket(new Set(tickets), signal);
  for (const mention of mentions) {
    if (mention.kind === 'versions') continue;
    const named =
      mention.kind === 'ticket'
        ? (merges.get(mention.ticket) ?? []).slice(0, MAX_MERGES_EACH)
        : [ancestry.findMerge(mention.id) ?? []].flat();
    followed.set(mention, { hashes: named.flatMap((merge) => ancestry.listMerged(merge)) });
  }
  return followed;
}

interface TaggedStep {
  mention: HistoryMention;
  from: Tag;
  /** Null for the snapshot itself. */
  to: Tag | null;
  /** For people: `between 2.16.3 and 2.17.2`. */
  name: string;
}

function followStep(
  { mention, from, to, name }: TaggedStep,
  ancestry: Ancestry,
  followed: FollowedMentions,
): void {
  const hashes = ancestry.listBetween(from.commit, to?.commit ?? ancestry.head);
  if (hashes.length > 0) followed.set(mention, { hashes, name });
}

/** Finds the tags of a step between versions. If only the later version is known, takes the tag before it. */
function findStep(
  mention: HistoryMention,
  tags: readonly Tag[],
  names: readonly string[],
): TaggedStep | null {
  if (mention.kind !== 'versions') return null;
  const { good, bad } = mention;
  const versions = readTags(tags, names);
  const to = bad && findTag(versions, bad.version);
  if (bad && !to) return null;
  const from = good ? findTag(versions, good.version) : to && findPrevious(versions, to);
  if (!from) return null;
  const first = good?.version ?? from.version;
  const name = bad ? `between ${first} and ${bad.version}` : `after ${first}`;
  return { mention, from: from.tag, to: to?.tag ?? null, name };
}

interface TaggedVersion {
  tag: Tag;
  /** `2.16.3`, `2.17.0rc1` */
  version: string;
  numbers: number[];
  isRelease: boolean;
}

/** Version in the name of a tag: `v2.16.3`, `release-2.16.3`, `sphinx-2.16.3`, `rel_2_16_3`. */
const TAGGED =
  /^(?<before>(?:[^\d]|\d(?=[^._\d]{0,40}[-_/@v]))*?)(?<numbers>\d{1,9}(?:[._]\d{1,9}){0,4})(?<after>.{0,30})$/;

/** Reads the versions of tags, leaving out those of other packages of a monorepo. */
function readTags(tags: readonly Tag[], names: readonly string[]): TaggedVersion[] {
  const isOwn = (before: string) => {
    const prefix = squeeze(before).replace(/v$/, '');
    const own = ['', 'rel', 'release', 'releases', 'version', 'ver', 'tag', 'r'];
    return own.includes(prefix) || names.some((name) => isPartOfName(prefix, name));
  };
  return tags.flatMap((tag): TaggedVersion[] => {
    const { before = '', numbers = '', after = '' } = TAGGED.exec(tag.name)?.groups ?? {};
    if (numbers === '' || !isOwn(before)) return [];
    const version = numbers.replaceAll('_', '.');
    const suffix = squeeze(after);
    const isRelease = suffix === '' || ['final', 'release', 'ga'].includes(suffix);
    const whole = isRelease ? version : `${version}${suffix}`;
    return [{ tag, version: whole, numbers: readNumbers(version), isRelease }];
  });
}

const isPartOfName = (prefix: string, name: string): boolean =>
  prefix.length >= 2 && (squeeze(name).includes(prefix) || prefix.includes(squeeze(name)));

function findTag(versions: readonly TaggedVersion[], version: string): TaggedVersion | undefined {
  const numbers = readNumbers(version);
  const suffix = squeeze(version.slice((/^[\d.]{1,40}/.exec(version)?.[0] ?? '').length));
  return versions.find((one) => {
    const isSame = compareNumbers(one.numbers, numbers) === 0;
    return isSame && (suffix === '' ? one.isRelease : one.version.endsWith(suffix));
  });
}

/** Finds the newest release before a version. */
function findPrevious(
  versions: readonly TaggedVersion[],
  { numbers }: TaggedVersion,
): TaggedVersion | undefined {
  return versions
    .filter((one) => one.isRelease && compareNumbers(one.numbers, numbers) < 0)
    .sort((a, b) => compareNumbers(b.numbers, a.numbers))[0];
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
