/** Finds what a reader can ask for besides the code of a function: callers, callees, tests and past commits. */
import { describeEnd, type Neighborhood } from '../../shared/call-graph.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { nullIfMissing } from '../../shared/null-if-missing.ts';
import { escapeHidden, quoteText } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import { cutSentence, formatLocation } from '../answer.ts';

/** Sections of an answer besides the code. */
export const SECTIONS = ['callers', 'callees', 'tests', 'history'] as const;
export type SectionName = (typeof SECTIONS)[number];

/** A list around a function, each item as one line of text. */
export interface SurroundingList {
  section: SectionName;
  items: string[];
  omitted: number;
}

interface SectionOptions {
  /** Maximum number of steps in the call graph. */
  depth: number;
  /** Maximum number of items of each section. */
  limit: number;
}

export interface Surroundings {
  sections: SurroundingList[];
  notes: string[];
}

/** Maximum number of neighbors from which the shown ones are chosen. */
const MAX_NEIGHBORS = 500;
/** Maximum number of callees with their signatures. */
const MAX_SIGNATURES = 15;
/** Maximum length of a signature or a commit's subject, in UTF-16 units. */
const MAX_TEXT = 200;

/** @param chunk address of the function */
export async function findSurroundings(
  repository: Repository,
  chunk: string,
  wanted: readonly SectionName[],
  options: SectionOptions,
): Promise<Surroundings> {
  const found: Surroundings = { sections: [], notes: [] };
  if (wanted.includes('callers') || wanted.includes('callees'))
    await addCalls(found, repository, chunk, wanted, options);
  if (wanted.includes('tests')) await addTests(found, repository, chunk, options);
  if (wanted.includes('history')) await addHistory(found, repository, chunk, options);
  return found;
}

async function addCalls(
  found: Surroundings,
  repository: Repository,
  chunk: string,
  wanted: readonly SectionName[],
  { depth, limit }: SectionOptions,
): Promise<void> {
  const around = await repository.neighbors({ chunk, depth, limit: MAX_NEIGHBORS });
  if (around.note !== null) found.notes.push(escapeHidden(around.note));
  if (wanted.includes('callers')) {
    const lines = new Map(around.edges.map(({ caller, sites }) => [caller, sites[0]?.line]));
    const callers = listSide(around, -1).map(
      (node) => `${formatPlace(node, lines.get(node.address))}${describeStep(node, around)}`,
    );
    found.sections.push(cutItems('callers', callers, limit));
  }
  if (!wanted.includes('callees')) return;
  const nodes = listSide(around, 1);
  const signatures = await Promise.all(
    nodes.slice(0, Math.min(limit, MAX_SIGNATURES)).map((node) => readSignature(repository, node)),
  );
  const callees = nodes.map((node, at) => {
    const signature = signatures[at] ? ` ${quoteText(signatures[at])}` : '';
    return `${formatPlace(node)}${signature}${describeStep(node, around)}`;
  });
  found.sections.push(cutItems('callees', callees, limit));
}

type Neighbor = Neighborhood['nodes'][number];

/** Returns the callers (-1) or callees (1): the nearest first, and at equal distance source code before tests. */
function listSide({ nodes }: Neighborhood, sign: -1 | 1): Neighbor[] {
  return nodes
    .filter(({ distance }) => Math.sign(distance) === sign)
    .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance) || toRoleRank(a) - toRoleRank(b));
}

const toRoleRank = ({ role }: Neighbor) => Number(role !== 'source');

/** Returns the words after a neighbor: the number of steps, and that a call was guessed. */
function describeStep({ address, distance }: Neighbor, { edges }: Neighborhood): string {
  const leading = edges.filter(
    ({ caller, callee }) => (distance < 0 ? caller : callee) === address,
  );
  const isGuess = leading.length > 0 && leading.every(({ guess }) => guess);
  const steps = Math.abs(distance) > 1 ? `, ${Math.abs(distance)} steps` : '';
  return `${steps}${isGuess ? ', guessed by name' : ''}`;
}

async function readSignature(repository: Repository, { address }: ChunkSummary): Promise<string> {
  const chunk = await nullIfMissing(repository.show({ chunk: address }));
  const header = (chunk?.context.parts ?? [])
    .filter(({ role }) => role === 'signature')
    .map(({ text, cutText }) => text + cutText)
    .join('');
  return cutSentence(escapeHidden(header.split(/\s+/).join(' ').trim()), MAX_TEXT);
}

async function addTests(
  found: Surroundings,
  repository: Repository,
  chunk: string,
  { limit }: SectionOptions,
): Promise<void> {
  const { tests, hidden, ended } = await repository.tests({ chunk, limit });
  const items = tests.map((test) => {
    const through =
      test.distance > 1
        ? `, ${test.distance} steps, through ${quoteText(formatLocation(test.next).name)}`
        : '';
    return `${formatPlace(test)}${through}${test.guess ? ', guessed by name' : ''}`;
  });
  found.sections.push({ section: 'tests', items, omitted: hidden });
  if (ended) found.notes.push(describeEnd(ended));
}

async function addHistory(
  found: Surroundings,
  repository: Repository,
  chunk: string,
  { limit }: SectionOptions,
): Promise<void> {
  const { commits, hidden, hasHistory } = await repository.history({ chunk, limit });
  const items = commits.map(({ commit, time, subject }) => {
    const title = cutSentence(escapeHidden(subject), MAX_TEXT);
    return `${formatDate(time)} ${commit.slice(0, 10)} ${quoteText(title)}`;
  });
  found.sections.push({ section: 'history', items, omitted: hidden });
  if (!hasHistory) found.notes.push('The repository has no history, or it is not read yet.');
}

/** @param time seconds since 1970, which the author of a commit chose */
function formatDate(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.valueOf()) ? 'unknown' : date.toISOString().slice(0, 10);
}

function formatPlace(chunk: ChunkSummary, line = chunk.startLine): string {
  const { path, name } = formatLocation(chunk);
  return `${quoteText(`${path}::${name}`)}:${line}`;
}

function cutItems(section: SectionName, items: readonly string[], limit: number): SurroundingList {
  return { section, items: items.slice(0, limit), omitted: Math.max(0, items.length - limit) };
}
