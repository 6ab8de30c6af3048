/** Finds what an issue names of a repository's past: commits, tickets and pull requests, and versions. */
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSection } from '../sections.ts';
import { findVersions, type VersionStep, type WrittenText } from './versions.ts';

/** Commits of a mention that git knows, besides the stored ones. */
export interface FollowedMention {
  /** Full ids of commits; may include some that are not stored. */
  hashes: string[];
  /** Name for people, if it differs from the text of the issue. */
  name?: string;
}

/** A commit by the beginning of its id, at least 7 hexadecimal digits. */
interface CommitMention {
  kind: 'commit';
  span: IssueSpan;
  id: string;
  followed?: FollowedMention;
}

/** An issue or a request to merge: `#123`, `!123` or `LANG-788`. */
interface TicketMention {
  kind: 'ticket';
  span: IssueSpan;
  /** As commit messages name it, see `listTickets`. */
  ticket: string;
  /** Last part of the repository's name in a link; null if it is not a link. */
  repository: string | null;
  followed?: FollowedMention;
}

/** A step between versions in which a problem appeared. */
interface VersionsMention extends VersionStep {
  kind: 'versions';
  followed?: FollowedMention;
}

export type HistoryMention = CommitMention | TicketMention | VersionsMention;

/** Maximum number of different commits and of different tickets. A log may contain thousands of numbers like these. */
const MAX_EACH = 20;

/** A commit id in a text. */
const COMMIT_ID = /(?<![\w./@-])[\da-f]{7,40}(?![\w-])/g;
/** A link to a commit, an issue or a request to merge. */
const LINK =
  /https?:\/\/[^\s()<>"'/]{1,100}(?:\/[^\s()<>"'/]{1,100}){0,6}?\/([^\s()<>"'/]{1,100})(?:\/-)?\/(?:(?:pull\/\d{1,6}\/)?commits?\/([\da-f]{7,40})|(pull|pulls|issues|merge_requests|pull-requests)\/(\d{1,6}))(?!\w)/g;
const NUMBER = /(?<![\w&#/])(#|GH-|!)(\d{1,6})(?![\w-]|\.\d)/g;
/** The key of a ticket in trackers such as Jira. */
const KEY = /(?<![\w./-])(?!GH-)[A-Z][A-Z\d]{1,9}-\d{1,6}(?![\w-]|\.\d)/g;
/** Line of `git bisect` that names the commit it found. */
const BISECTED = /^([\da-f]{40}) is the first bad commit$/gm;

/** Text before a commit id that makes it the cause of the problem, not the version in which somebody saw it. */
const CAUSE_BEFORE =
  /\b(?:introduc|since|after|regress|bisect|broke|break|caus|culprit|due to|blame|revert|add|remov|chang|refactor|offending|bad commit|following|merg|fix)/i;
const CAUSE_AFTER =
  /^\W{0,4}(?:is the (?:first bad|culprit)|(?:has |have )?(?:introduc|broke|break|caus|regress|add|remov|chang))/i;
/** Words that are followed by the number of a thing in a list, as in "argument #1". */
const COUNTED =
  /\b(?:argument|arg|input|output|iteration|step|example|item|line|case|test|thread|frame|option|param|parameter|column|row|note|point|question|attempt|run|try|scenario|solution|layer|device|gpu|cpu|core|node|job|worker|batch|epoch|part|phase|figure|table|rule|port|slot|channel|track|index|number)s?[ \t]{1,3}$/i;
/** Words before a ticket of one digit. Without them, such a number mostly counts something else. */
const TICKET_WORD =
  /\b(?:issues?|bugs?|tickets?|pr|prs|pull|requests?|mr|see|fix|fixes|fixed|closes?|resolves?|since|after|by|in|of)[ \t]{0,3}[(:]?$/i;
/** A frame of a debugger's or PHP's trace after its number. */
const FRAME = /^[ \t]{1,4}(?:0x|\/|[\w.:~<>$]{1,200}[ \t]{0,2}\(|\{main\})/;
/** Word before a commit id. Without it, a number of digits alone is mostly a date, a size or a version. */
const COMMIT_WORD = /\b(?:commit|revision)[ \t]{1,3}`?$/i;
const MAX_BEFORE = 80;
const MAX_AFTER = 60;
const SENTENCE_END = /[.!?][ \t\n]|\n[ \t\r]*\n/g;

/** Finds mentions in title and prose; in code only the result of `git bisect`. */
export function findHistoryMentions(sections: readonly IssueSection[]): HistoryMention[] {
  const written = sections.filter(({ kind }) => kind === 'title' || kind === 'prose');
  const mentions = [
    ...written.flatMap((section) => [...findInText(section)]),
    ...sections.flatMap((section) => [...findBisected(section)]),
  ];
  const step = findVersions(sections.flatMap(listVersionTexts));
  return [...limitEach(mentions), ...(step ? [{ kind: 'versions' as const, ...step }] : [])];
}

/** Start of a line of a template: a heading, a comment, a table or a check box. */
const TEMPLATE_LINE = /^[ \t]{0,8}(?:[#<|]|[-*] \[)/;

/** Lists the texts that may tell between which versions a problem appeared. A line with little else is noise to other searches. */
function listVersionTexts({ kind, start, text, lines }: IssueSection): WrittenText[] {
  if (kind === 'title' || kind === 'prose') return [{ start, text }];
  if (kind !== 'noise') return [];
  return lines.filter((line) => !TEMPLATE_LINE.test(line.text));
}

/** Keeps the first mention of each commit and ticket, and not too many. */
function limitEach(
  mentions: readonly (CommitMention | TicketMention)[],
): (CommitMention | TicketMention)[] {
  const byText = new Map<string, CommitMention | TicketMention>();
  const counts = { commit: 0, ticket: 0 };
  for (const mention of mentions) {
    const text = mention.kind === 'commit' ? mention.id : mention.ticket;
    if (byText.has(text) || counts[mention.kind] === MAX_EACH) continue;
    counts[mention.kind]++;
    byText.set(text, mention);
  }
  return [...byText.values()];
}

function* findInText({ start, text }: IssueSection): Generator<CommitMention | TicketMention> {
  const spanOf = (from: number, length: number): IssueSpan => {
    const to = from + length;
    return { start: start + from, end: start + to, text: text.slice(from, to) };
  };
  for (const match of text.matchAll(LINK)) {
    const [link, repository = '', id, kind, number] = match;
    const span = spanOf(match.index, link.length);
    if (id) yield { kind: 'commit', span, id };
    else {
      const ticket = `${kind === 'merge_requests' ? '!' : '#'}${number}`;
      yield { kind: 'ticket', span, ticket, repository: repository.replace(/\.git$/, '') };
    }
  }
  for (const { 0: id, index } of text.matchAll(COMMIT_ID)) {
    if (isCommitId(text, index, id) && isCause(text, index, index + id.length))
      yield { kind: 'commit', span: spanOf(index, id.length), id };
  }
  for (const { 0: all, 1: sign = '', 2: number = '', index } of text.matchAll(NUMBER)) {
    if (!isTicket(text, index, index + all.length, number)) continue;
    const ticket = `${sign === '!' ? '!' : '#'}${Number(number)}`;
    yield { kind: 'ticket', span: spanOf(index, all.length), ticket, repository: null };
  }
  for (const { 0: ticket, index } of text.matchAll(KEY))
    yield { kind: 'ticket', span: spanOf(index, ticket.length), ticket, repository: null };
}

/** Returns true for digits and letters together. An id without letters, one in 27 of those with seven digits, needs a word. */
function isCommitId(text: string, start: number, id: string): boolean {
  if (!/\d/.test(id)) return false;
  return /[a-f]/.test(id) || COMMIT_WORD.test(text.slice(Math.max(0, start - MAX_BEFORE), start));
}

function* findBisected({ kind, start, text }: IssueSection): Generator<CommitMention> {
  if (kind === 'noise') return;
  for (const { 1: id = '', index } of text.matchAll(BISECTED)) {
    const span = { start: start + index, end: start + index + id.length, text: id };
    yield { kind: 'commit', span, id };
  }
}

function isCause(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
  const sentence = before.split(SENTENCE_END).at(-1) ?? '';
  return CAUSE_BEFORE.test(sentence) || CAUSE_AFTER.test(text.slice(end, end + MAX_AFTER));
}

function isTicket(text: string, start: number, end: number, number: string): boolean {
  const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
  const isLineStart = /(?:^|\n)[ \t]*$/.test(before);
  if (isLineStart && FRAME.test(text.slice(end, end + MAX_AFTER))) return false;
  return !COUNTED.test(before) && (number.length > 1 || TICKET_WORD.test(before));
}
