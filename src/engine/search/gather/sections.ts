/** Finds the sections of configuration, style sheets and documentation that an issue points to. */
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { SearchRequest } from '../../../shared/search.ts';
import type { LexicalQuery } from '../../lexical/lexical-index.ts';
import type { SectionGroup } from '../../sections/form.ts';
import { findSectionForm } from '../../sections/forms.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { cacheUntilEdited, createLocationOrder, getScore, selectBest } from './chunks.ts';
import type { ResolvedIssue } from './issue.ts';
import type { PathMention } from './locations.ts';
import { buildIssueQuery } from './query.ts';
import { createScope } from './scope.ts';
import { findNamedSections } from './section-names.ts';

interface MeasuredSection {
  slot: number;
  /** First mention of its file in the issue; null if only words point to it. */
  mention: PathMention | null;
  /** First mention of its name in the issue; null without one. */
  name: IssueSpan | null;
  /** Part of the possible BM25F score, from 0 to 1, that its words have for the issue. */
  issueShare: number;
}

/** Mentions in an issue that point to sections, found before any words are compared. */
interface Pointers {
  /** Mentions of files that are specific enough. */
  mentions: readonly PathMention[];
  /** Names of sections, by slot. */
  names: ReadonlyMap<number, IssueSpan>;
  /** True to compare the words of all sections. */
  byWords: boolean;
}

/** Sections to measure because of their words, and of each mentioned file. */
const MAX_BY_WORDS = 50;
const MAX_IN_FILE = 3;
/** A mention that fits more files than this one points to none. */
const MAX_FILES = 3;

/** Measures the sections that may be meant, in order of path and line. */
function measureSections(
  index: SearchIndex,
  words: LexicalQuery,
  { mentions, names, byWords }: Pointers,
  isEligible: (slot: number) => boolean,
): MeasuredSection[] {
  const scores = index.sections.score(words);
  const mentioned = new Map<number, PathMention>();
  for (const mention of mentions)
    for (const file of mention.files) {
      const inFile = index.getSlotsByPath(file).filter(isEligible);
      const atLines = inFile.filter((slot) => mention.lines?.slots.includes(slot));
      const best = selectBest(Uint32Array.from(inFile), scores, MAX_IN_FILE, index);
      for (const slot of atLines.length > 0 ? atLines : best)
        if (!mentioned.has(slot)) mentioned.set(slot, mention);
    }
  const similar = byWords
    ? selectBest(listSections(index).filter(isEligible), scores, MAX_BY_WORDS, index)
    : [];
  const named = [...names.keys()].filter(isEligible);
  return [...new Set([...mentioned.keys(), ...named, ...similar])]
    .sort(createLocationOrder(index))
    .map((slot) => ({
      slot,
      mention: mentioned.get(slot) ?? null,
      name: names.get(slot) ?? null,
      issueShare: getShare(getScore(slot, scores), words),
    }));
}

const listSections = cacheUntilEdited((index: SearchIndex) =>
  Uint32Array.from(
    Array.from(index.getSectionPaths()).flatMap((path) => index.getSlotsByPath(path)),
  ),
);

/** Returns a score as a part of the largest possible one. */
function getShare(score: number, { weights }: LexicalQuery): number {
  const possible = weights.reduce((sum, weight) => sum + weight, 0);
  return possible > 0 ? score / possible : 0;
}

/** Section that an issue points to. */
export interface PointedSection extends MeasuredSection {
  /** Chance that its file is edited, from 0 to 1. */
  chance: number;
  /** Rank that it gets in the list, if there are enough results before it. No two have the same. */
  rank: number;
}

/** Sections that an issue points to, in order of their ranks, with the words that they were measured by. */
export interface PointedSections {
  index: SearchIndex;
  sections: PointedSection[];
  words: LexicalQuery;
}

/**
 * Finds the sections that an issue points to; null if there are none. If a request asks for sections by their kind, finds all that
 * share words with the issue.
 */
export function findPointedSections(
  index: SearchIndex,
  issue: ResolvedIssue,
  request: SearchRequest,
): PointedSections | null {
  const { kinds = [] } = request;
  const isAsked = kinds.length > 0;
  if (index.sectionCount === 0 || (isAsked && !kinds.includes('section'))) return null;
  const scope = createScope(request, index.packages);
  const pointers = {
    mentions: issue.sectionPaths.filter(({ files }) => files.length <= MAX_FILES),
    names: findNamedSections(issue.passages, index),
    byWords: isAsked || Object.values(SUBJECTS).some((subject) => subject.test(issue.title)),
  };
  // Most issues are about code, and end here.
  if (!pointers.byWords && pointers.mentions.length + pointers.names.size === 0) return null;
  const words = buildIssueQuery(issue, index.sections);
  const isEligible = (slot: number) => scope.isEligible(index.getChunk(slot));
  const measured = measureSections(index, words, pointers, isEligible);
  const sections = isAsked
    ? listAll(measured, kinds.length === 1)
    : choosePointed(measured, index, issue.title);
  return sections.length > 0 ? { index, sections, words } : null;
}

/** Orders sections that were asked for: alone, or at every second rank among other kinds. */
function listAll(measured: readonly MeasuredSection[], isAlone: boolean): PointedSection[] {
  return measured
    .filter(({ mention, name, issueShare }) => mention || name || issueShare > 0)
    .sort((a, b) => b.issueShare - a.issueShare)
    .map((one, i) => ({ ...one, chance: one.issueShare, rank: isAlone ? i + 1 : 2 * i + 2 }));
}

/**
 * Chances that a pointed file is edited, measured on commits that edit only such files, with their messages as issues
 * (`lab/notes/2026-11-29-sections.md`).
 */
const CHANCES = { mention: 0.8, name: 0.4, subject: 0.5 };
const MAX_POINTED = 3;
/** First rank of a section whose file the title names as a whole, and of others: they leave the first five results alone. */
const [FIRST_RANK, LATER_RANK] = [1, 6];
/** Minimum share of the issue's words in a section that only the subject of the title points to. */
const MIN_SHARE = 0.1;

/** Words of a title that say which group of files an issue is about. */
const SUBJECTS: Record<SectionGroup, RegExp> = {
  documentation: /\b(?:docs?|documentation|read-?me|typos?|tutorials?|broken links?)\b/i,
  configuration:
    /\b(?:ci|workflows?|github actions?|travis|circleci|appveyor|azure pipelines?|docker-?compose|helm|dependenc(?:y|ies)|requirements|pre-commit|gradle|maven|pom)\b/i,
  'style sheet':
    /\b(?:css|scss|styl(?:ing|es?|esheets?)|fonts?|colou?rs?|margins?|padding|dark mode)\b/i,
};

/**
 * Chooses sections of the files that the issue mentions, sections that it names, and the best one for the subject of the title; at
 * most one of a file.
 */
function choosePointed(
  measured: readonly MeasuredSection[],
  index: SearchIndex,
  title: string,
): PointedSection[] {
  const files = new Set<string>();
  const best = measured.toSorted((a, b) => b.issueShare - a.issueShare);
  const mentioned = best.filter(({ mention, name }) => mention || name);
  const onSubject = best.filter((one) => isOnSubject(one, index, title)).slice(0, 1);
  const chosen = [...mentioned, ...onSubject]
    .map((one) => ({ ...one, chance: getChance(one) }))
    .sort((a, b) => b.chance - a.chance)
    .filter(({ slot }) => {
      const { path } = index.getChunk(slot);
      return !files.has(path) && files.add(path);
    })
    .slice(0, MAX_POINTED);
  const isFirst = ({ mention }: MeasuredSection) =>
    mention !== null && mention.files.length === 1 && title.includes(mention.span.text);
  const place = (sections: typeof chosen, first: number) =>
    sections.map((one, i): PointedSection => ({ ...one, rank: first + i }));
  return [
    ...place(chosen.filter(isFirst), FIRST_RANK),
    ...place(
      chosen.filter((one) => !isFirst(one)),
      LATER_RANK,
    ),
  ];
}

function getChance({ mention, name }: MeasuredSection): number {
  if (mention) return CHANCES.mention;
  return name ? CHANCES.name : CHANCES.subject;
}

function isOnSubject(
  { slot, issueShare }: MeasuredSection,
  index: SearchIndex,
  title: string,
): boolean {
  const form = findSectionForm(index.getChunk(slot).path);
  return form !== null && issueShare >= MIN_SHARE && SUBJECTS[form.group].test(title);
}
