import type { IssueSpan } from '../../../shared/evidence.ts';

/** A version in which the problem is absent, and one in which it is present. At least one is set. */
export interface VersionStep {
  span: IssueSpan;
  good: NamedVersion | null;
  bad: NamedVersion | null;
}

interface NamedVersion {
  /** As written, without a `v`: `2.16.3`. */
  version: string;
  /** Word before it that may be the name of a program, in lower case: `python` in `Python 3.6`; null if it is an ordinary word. */
  program: string | null;
}

/** A text of an issue that a person wrote. */
export interface WrittenText {
  /** Start in the issue, in UTF-16 units. */
  start: number;
  text: string;
}

/** Maximum number of versions in an issue to read. */
const MAX_VERSIONS = 200;
const MAX_BEFORE = 100;
const MAX_AFTER = 60;

const VERSION =
  /(?<![\w./=:@~^<>-])v?(\d{1,4}(?:\.\d{1,4}){1,3}(?:[-.]?(?:rc|alpha|beta|a|b|dev|post)[-.]?\d{0,3})?)(?!\w|[-./:]\w)/gi;

/** Ends of what may be said about a version. */
const CLAUSE_END = /[.!?;,()][ \t\n]|\n|\b(?:but|while|whereas|and|although|though)\b/i;

const NEGATED =
  /\b(?:not|never|cannot|longer|n['’]t)[ \t]{1,3}(?:\w{1,20}[ \t]{1,3})?(?:work|compil|possible|pass)/i;
const CONTRACTED = /n['’]t[ \t]{1,3}(?:work|compil|pass)/i;
const CERTAINLY_GOOD =
  /\b(?:until|up to|downgrad\w{0,10}|revert(?:ed|ing)? to|roll(?:ed|ing)? back|prior to|(?:works?|worked|working|was|is) (?:fine|well|correctly|perfectly|ok|as expected|good))\b/i;
const CERTAINLY_BAD =
  /\b(?:since|regress\w{0,10}|introduced|upgrad\w{0,10}|updat(?:ed?|ing)|bump\w{0,10}|br(?:oke|oken|eaks)|stopp(?:ed|s)|start(?:ed|ing|s) (?:with|from|in)|no longer|after)\b/i;
const BAD =
  /\b(?:fail\w{0,10}|crash\w{0,10}|errors?|wrong|hangs?|leaks?|slow\w{0,10}|bugs?|problem|issue|appears?|present|exceptions?|raises?|throws?)\b/i;
const GOOD =
  /\b(?:works?|worked|working|fine|ok|okay|good|pass(?:es|ed)?|correct(?:ly)?|before|previous(?:ly)?)\b/i;
/** Text between the two versions of a step: "from 1.2 to 1.3", "1.2 -> 1.3". */
const STEP = /^[ \t]{0,3}(?:to|and|->|→|=>)[ \t]{1,3}(?:\w{1,20} ){0,2}$/i;
const STEP_BEFORE = /\b(?:from|between|upgrad\w{0,10}|updat\w{0,10}|bump\w{0,10})\b[^\n.;]{0,60}$/i;

/** Words before a version that are not the name of a program. */
const ORDINARY = new Set(
  `a after an and as at before between broke broken bumped by downgraded downgrading downgrade fine for from in into introduced is it
  latest new newer of old older on or previous previously prior regression release released releases reverted since than that the
  then this till to under until up update updated updating upgrade upgraded upgrading using v ver version versions was with worked
  works working`.split(/\s+/),
);
/** Words that may stand between the name of a program and its version. */
const SKIPPED = new Set(['v', 'ver', 'version', 'versions', 'release', 'releases']);

interface JudgedVersion extends NamedVersion {
  span: IssueSpan;
  verdict: 'good' | 'bad' | null;
  isCertain: boolean;
}

/**
 * Finds between which versions a problem appeared, as in "worked in 2.16.3, broken since 2.17.2". A version alone says nothing: most
 * reports name the one in use.
 */
export function findVersions(texts: readonly WrittenText[]): VersionStep | null {
  const judged = texts.flatMap(judgeVersions).slice(0, MAX_VERSIONS);
  const goods = judged.filter(({ verdict }) => verdict === 'good').sort(compareVersions);
  const bads = judged.filter(({ verdict }) => verdict === 'bad').sort(compareVersions);
  const good = goods.findLast((one) => bads.every((bad) => compareVersions(one, bad) < 0));
  const isAfter = (bad: JudgedVersion) => !good || compareVersions(good, bad) < 0;
  const bad = bads.find((one) => isAfter(one) && (good || one.isCertain));
  const named = bad ?? good;
  if (!named || (!bad && !good?.isCertain)) return null;
  return { span: named.span, good: toNamed(good), bad: toNamed(bad) };
}

function toNamed(judged: JudgedVersion | undefined): NamedVersion | null {
  return judged ? { version: judged.version, program: judged.program } : null;
}

/** Compares versions by their numbers. */
function compareVersions(a: NamedVersion, b: NamedVersion): number {
  const [one, other] = [readNumbers(a.version), readNumbers(b.version)];
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const difference = (one[i] ?? 0) - (other[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns the numbers of a version, without what follows a letter: [2, 16, 3] for `2.16.3rc1`. */
export function readNumbers(version: string): number[] {
  return (/^[\d.]{1,40}/.exec(version)?.[0] ?? '').split('.').filter(Boolean).map(Number);
}

function judgeVersions({ start, text }: WrittenText): JudgedVersion[] {
  const found = [...text.matchAll(VERSION)].slice(0, MAX_VERSIONS);
  return found.map((match, i): JudgedVersion => {
    const { 0: written, 1: version = '', index } = match;
    const end = index + written.length;
    const span = { start: start + index, end: start + end, text: written };
    const before = text.slice(Math.max(0, index - MAX_BEFORE), index);
    const named = { version, program: readProgram(before), span };
    const [previous, next] = [found[i - 1], found[i + 1]];
    const from = previous && text.slice(previous.index + previous[0].length, index);
    if (from !== undefined && STEP.test(from)) {
      const whole = text.slice(Math.max(0, (previous?.index ?? 0) - MAX_BEFORE), previous?.index);
      if (isStep(whole, from)) return { ...named, verdict: 'bad', isCertain: true };
    }
    const to = next && text.slice(end, next.index);
    if (to !== undefined && STEP.test(to) && isStep(before, to))
      return { ...named, verdict: 'good', isCertain: true };
    const after = text.slice(end, end + MAX_AFTER).split(CLAUSE_END)[0] ?? '';
    return { ...named, ...judgeClause(before.split(CLAUSE_END).at(-1) ?? '', after) };
  });
}

const isStep = (before: string, between: string): boolean =>
  STEP_BEFORE.test(before) || /->|→|=>/.test(between);

function judgeClause(before: string, after: string): Pick<JudgedVersion, 'verdict' | 'isCertain'> {
  const clause = `${before} ${after}`;
  if (NEGATED.test(clause) || CONTRACTED.test(clause)) return { verdict: 'bad', isCertain: false };
  if (CERTAINLY_GOOD.test(clause)) return { verdict: 'good', isCertain: true };
  if (CERTAINLY_BAD.test(before)) return { verdict: 'bad', isCertain: true };
  if (BAD.test(clause)) return { verdict: 'bad', isCertain: false };
  if (GOOD.test(clause)) return { verdict: 'good', isCertain: true };
  return { verdict: null, isCertain: false };
}

function readProgram(before: string): string | null {
  const words = before.toLowerCase().match(/[\p{L}\d_+.-]{1,60}/gu) ?? [];
  const isAdjacent = /[\p{L}\d_+.-][ \t`*"']{0,3}$/u.test(before);
  const word = isAdjacent ? words.findLast((one) => !SKIPPED.has(one)) : undefined;
  return word === undefined || ORDINARY.has(word) ? null : word;
}
