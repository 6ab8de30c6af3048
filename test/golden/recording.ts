/**
 * Records a repository's index and its searches as texts that are readable in a diff: a file for each kind of object, a
 * line for each object, in the order of the engine.
 */

import { assertPresent } from '../../src/shared/assert-present.ts';
import type { CallEdge } from '../../src/shared/call-graph.ts';
import type { ChunkDetail } from '../../src/shared/detail.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Evidence, IssueSpan, SignalEvidence } from '../../src/shared/evidence.ts';
import { MAX_RERANKED } from '../../src/shared/limits.ts';
import type { Repository } from '../../src/shared/repository.ts';
import type {
  IssueReport,
  RankedChunk,
  SearchRequest,
  SearchResponse,
} from '../../src/shared/search.ts';
import type { GoldenIssue } from './repositories.ts';
import { MODEL_LINE } from './settle.ts';

/** Texts by file name. */
export type Recording = Record<string, string>;

/** Number of recorded results of a list. */
const SHOWN = 20;
/** Number of results that are recorded without evidence. */
const SHOWN_BRIEFLY = 10;

const INITIAL = { count: 0 } as const;
/** Reranks as many results as possible, even on a slow machine. */
const RERANKED = { count: MAX_RERANKED } as const;

/** Records everything but the reranked lists. `paths` are the files of the repository. */
export async function recordInitial(
  repository: Repository,
  paths: readonly string[],
  issues: readonly GoldenIssue[],
): Promise<Recording> {
  const { details, unindexed } = await readDetails(repository, paths);
  const known = new Set(details.map(({ address }) => address));
  const lists: SearchResponse[] = [];
  for (const { name, text, edited } of issues) {
    const missing = edited.filter((address) => !known.has(address));
    if (missing.length > 0)
      throw new Error(`The issue ${name} edits ${missing}, which is missing.`);
    lists.push(await repository.search({ issue: text, limit: SHOWN, rerank: INITIAL }));
  }
  const perIssue = (write: (response: SearchResponse, issue: GoldenIssue) => string[]) =>
    lists.flatMap((response, i) => ['', issues[i].name, ...write(response, issues[i])]).slice(1);
  return {
    'index.txt': join([...(await recordStatus(repository)), ...unindexed]),
    'chunks.txt': join(details.map(writeChunk)),
    'edges.txt': join(details.flatMap(({ callees }) => callees.map(writeEdge))),
    'issues.txt': join(perIssue(({ issue }) => writeReport(issue))),
    'initial.txt': join([...perIssue(writeList), '', ...writeLegend(lists)]),
    'around.txt': join(await recordSurroundings(repository, issues, lists)),
    'variants.txt': join(await recordVariants(repository, issues[0])),
  };
}

/**
 * Records the reranked lists. Values and wording are only recorded where they differ from those of the same result in
 * the initial ranking.
 */
export async function recordReranked(
  repository: Repository,
  issues: readonly GoldenIssue[],
): Promise<Recording> {
  const lines: string[] = [];
  for (const issue of issues) {
    const request = { issue: issue.text, limit: SHOWN };
    const initial = await repository.search({ ...request, rerank: INITIAL });
    const reranked = await repository.search({ ...request, rerank: RERANKED });
    const { state, count, of, models, note } = reranked.reranking;
    if (state !== 'reranked' || count !== of)
      throw new Error(`${issue.name} was not reranked: ${state}, ${count} of ${of}, ${note}.`);
    lines.push('', issue.name, `${writeHead(reranked)}, ${count} reranked by ${models}`);
    for (const result of reranked.results) {
      const before = initial.results.find(({ address }) => address === result.address);
      lines.push(writeRerankedRow(result, issue), ...writeDifference(result, before));
    }
  }
  return { 'reranked.txt': join(lines.slice(1)) };
}

async function readDetails(repository: Repository, paths: readonly string[]) {
  const details: (ChunkDetail & { headerLine: number })[] = [];
  const unindexed: string[] = [];
  for (const path of paths) {
    const file = await repository.file({ path }).catch((error) => {
      if (!(error instanceof LocusError)) throw error;
      unindexed.push(`not indexed: ${path}`);
    });
    for (const { address, headerLine } of file?.chunks ?? []) {
      details.push({ ...(await repository.show({ chunk: address })), headerLine });
    }
  }
  return { details, unindexed };
}

async function recordStatus(repository: Repository): Promise<string[]> {
  const status = await repository.status();
  const { files, chunks, chunksByKind, edges, guessedEdges, embedded, commits } = status;
  const skipped = await repository.skipped();
  return [
    `${files} files, ${status.filesWithErrors} with errors`,
    `${chunks} chunks, ${embedded} embedded: ${list(chunksByKind)}`,
    `${edges} edges, ${guessedEdges} guessed`,
    `${commits} commits`,
    `models: ${status.model.id} ${status.model.version}, ${status.rerankModels.join()}`,
    `state: ${status.state}`,
    ...status.languages.map((one) => `language: ${one.name}, ${one.title}, ${one.files} files`),
    ...status.unread.map((one) => `unread: ${one.kind}, ${one.files} files`),
    ...status.packages.map(
      (one) => `package: ${one.name} in "${one.folder}", ${one.chunks} chunks`,
    ),
    ...status.notes.map((note) => `note: ${note}`),
    ...skipped.map(({ path, reason, detail }) => `skipped: ${path}, ${reason}: ${detail}`),
  ];
}

/** Returns a chunk's address, lines and content, and the encoder's input: tokens by part, with truncated ones. */
function writeChunk(chunk: ChunkDetail & { headerLine: number }): string {
  const { address, kind, name, startLine, endLine, headerLine, language, role } = chunk;
  const parts = chunk.context.parts.map(({ role, tokens, cut, address }) => {
    return `${role}${address ? ` ${address}` : ''} ${tokens}${cut > 0 ? `-${cut}` : ''}`;
  });
  return [
    `${kind} ${address} ${startLine}-${endLine}`,
    `header ${headerLine}`,
    `name ${name}`,
    `${language} ${role}`,
    chunk.contentHash.slice(0, 12),
    `doc ${JSON.stringify(chunk.docstring?.slice(0, 60) ?? null)}`,
    `encoded ${parts.join(', ')}`,
  ].join(' | ');
}

function writeEdge({ caller, callee, kind, guess, sites }: CallEdge): string {
  const places = sites.map(({ line, column }) => `${line}:${column}`).join(' ');
  return `${caller} ${kind}s ${callee} at ${places}${guess ? ' (guess)' : ''}`;
}

/** Returns lines with the names and other parts recognized in an issue. */
function writeReport(report: IssueReport): string[] {
  const { title, length, names, paths, unindexed, frames, rare, blocks, notes } = report;
  return [
    `  title ${JSON.stringify(title)}, ${length} characters`,
    ...names.map((one) => `  name ${writeSpan(one)}: ${one.definitions} definitions`),
    ...paths.map((one) => {
      const { first, last, addresses } = one.lines ?? {};
      const lines = one.lines ? `, lines ${first}-${last} of ${addresses?.join(', ')}` : '';
      return `  path ${writeSpan(one)}: ${one.files.join(', ')}${lines}`;
    }),
    ...unindexed.map((one) => `  unindexed ${writeSpan(one)}: ${one.path}, ${one.reason}`),
    ...frames.map((one) => {
      return `  frame ${writeSpan(one)}: ${one.path}:${one.line} ${one.name} is ${one.address}`;
    }),
    `  rare ${rare.join(' ')}`,
    `  blocks ${blocks.map(({ start, end }) => `${start}-${end}`).join(' ')}`,
    ...notes.map((note) => `  note ${note}`),
  ];
}

function writeSpan({ start, end, text }: IssueSpan): string {
  return `${start}-${end} ${JSON.stringify(text)}`;
}

/** Returns a list with its evidence. Contributions of signals without information on a result are the same for all. */
function writeList(response: SearchResponse, issue: GoldenIssue): string[] {
  const silent = new Map<string, string>();
  for (const { evidence } of response.results) {
    for (const [name, own] of Object.entries(evidence)) {
      if (own.value === 0) silent.set(name, `${name} ${round(own.contribution)}`);
    }
  }
  const rows = response.results.flatMap((result) => [
    writeRow(result, issue),
    ...writeEvidence(result.evidence, silent),
    ...writeChangedTogether(result),
  ]);
  return [writeHead(response), `   silent: ${[...silent.values()].sort().join(', ')}`, ...rows];
}

function writeHead({ model, confidence, considered, results, partial }: SearchResponse): string {
  if (partial) throw new Error(`The index is not complete: ${partial.reason}.`);
  return `   ${model.ranker}: ${results.length} of ${considered} chunks, confidence ${round(confidence)}`;
}

/** Returns the row of a result, with an asterisk if a fix edits it. */
function writeRow(result: RankedChunk, { edited }: Pick<GoldenIssue, 'edited'>): string {
  const { rank, score, address } = result;
  const mark = edited.includes(address) ? '*' : ' ';
  return `${String(rank).padStart(2)} ${score.toFixed(3).padStart(7)} ${mark} ${writeLocation(result)}`;
}

function writeLocation(result: RankedChunk): string {
  const { address, kind, startLine, endLine, rankWithoutMarks } = result;
  const more = [
    result.package === undefined ? '' : ` in ${result.package}`,
    rankWithoutMarks === undefined ? '' : ` without marks ${rankWithoutMarks}`,
    result.reranked ? ' reranked' : '',
  ].join('');
  return `${kind} ${address} ${startLine}-${endLine}${more}`;
}

/** Returns a reranked result. Numbers that depend on the reranker's cosine are on a separate line, see `settle`. */
function writeRerankedRow(result: RankedChunk, { edited }: GoldenIssue): string {
  const { rank, score, address, evidence } = result;
  const row = `${String(rank).padStart(2)} ${edited.includes(address) ? '*' : ' '} ${writeLocation(result)}`;
  const { coret } = evidence;
  const { value, measured, contribution } = assertPresent(coret, 'the cosine');
  return `${row}\n${MODEL_LINE}score ${score.toFixed(3)}, coret ${value.toFixed(5)} adds ${round(contribution)}, "${measured}"`;
}

function writeEvidence(evidence: Evidence, silent = new Map<string, string>()): string[] {
  return Object.entries(evidence)
    .filter(([name, own]) => silent.get(name) !== `${name} ${round(own.contribution)}` || own.value)
    .map(([name, own]) => `     ${name} ${round(own.contribution)} ${writeWording(own)}`);
}

/** Returns the visible parts of a signal: its value, its sentence, the locations in the issue and the parts of the value. */
function writeWording({ value, measured, sentence, spans, words, fields }: SignalEvidence): string {
  const parts = [
    `${round(value)}, ${measured}: ${sentence}`,
    spans && `at ${spans.map(({ start, end }) => `${start}-${end}`).join(' ')}`,
    words &&
      `words ${words.map((one) => `${one.word}${one.of ? `(${one.of})` : ''} ${round(one.score)}`).join(', ')}`,
    fields && `fields ${fields.map(({ field, score }) => `${field} ${round(score)}`).join(', ')}`,
  ];
  return parts.filter(Boolean).join(' | ');
}

function writeChangedTogether({ related = [] }: RankedChunk): string[] {
  return related.map(({ relation, address, startLine, commits }) => {
    return `     with it: ${relation} ${address} ${startLine}${commits ? `, ${commits} commits` : ''}`;
  });
}

/** Returns the evidence of a reranked result: all contributions, and the parts that differ from the initial ranking. */
function writeDifference(result: RankedChunk, before: RankedChunk | undefined): string[] {
  const entries = Object.entries(result.evidence).filter(([name]) => name !== 'coret');
  const contributions = entries.map(([name, own]) => `${name} ${round(own.contribution)}`);
  const changed = entries.filter(([name, own]) => {
    const then = before?.evidence[name];
    return own.value !== 0 && (!then || writeWording(own) !== writeWording(then));
  });
  const companions = writeChangedTogether(result);
  const same = before && companions.join() === writeChangedTogether(before).join();
  return [
    `     ${contributions.join(', ')}`,
    ...changed.map(([name, own]) => `     ${name} ${writeWording(own)}`),
    ...(same ? [] : companions),
  ];
}

/** Returns families and titles of all signals in some lists. */
function writeLegend(lists: readonly SearchResponse[]): string[] {
  const evidence = lists.flatMap(({ results }) =>
    results.flatMap((one) => Object.entries(one.evidence)),
  );
  const lines = evidence.map(([name, { family, title }]) => `${name}: ${family}, ${title}`);
  return [...new Set(lines)].sort();
}

/** Returns lines with callers, callees, references and similar functions of the first result of each list. */
async function recordSurroundings(
  repository: Repository,
  issues: readonly GoldenIssue[],
  lists: readonly SearchResponse[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const [i, { results }] of lists.entries()) {
    const chunk = results[0]?.address;
    if (chunk === undefined) continue;
    const { callers, callees } = await repository.show({ chunk });
    const around = await repository.neighbors({ chunk, depth: 2, limit: 25 });
    const { references, hidden } = await repository.references({ chunk });
    const similar = await repository.similar({ chunk, limit: 8 });
    lines.push(
      '',
      `${issues[i].name}: ${chunk}`,
      ...callers.map((edge) => `  caller: ${writeEdge(edge)}`),
      ...callees.map((edge) => `  callee: ${writeEdge(edge)}`),
      ...around.nodes.map((one) => `  near ${one.distance}: ${one.address}, ${one.hidden} hidden`),
      ...around.edges.map((edge) => `  near edge: ${writeEdge(edge)}`),
      ...references.map(({ caller, kind, sites }) => {
        const texts = sites.map(({ line, text }) => `${line} ${text}`);
        return `  reference: ${caller.address} ${kind}s it at ${texts.join(' | ')}`;
      }),
      `  hidden references: ${hidden}`,
      ...similar.chunks.map((one) => `  similar ${round(one.similarity)}: ${one.address}`),
    );
  }
  return lines.slice(1);
}

/** Records lists of one issue for other requests: with marks, with tests, of some kinds, of some files. */
async function recordVariants(repository: Repository, issue: GoldenIssue): Promise<string[]> {
  const request = { issue: issue.text, limit: SHOWN_BRIEFLY, rerank: INITIAL };
  const { results } = await repository.search(request);
  const [first, second, third] = results.map(({ address }) => address);
  const folder = results[0].path.split('/').slice(0, -1).join('/');
  const feedback = { edit: [second], read: [first], irrelevant: [third] };
  const variants: Record<string, Partial<SearchRequest>> = {
    'tests included': { tests: 'include' },
    'tests excluded': { tests: 'exclude' },
    'classes and module code': { kinds: ['class', 'module'] },
    [`files of ${folder || 'the root'}`]: { paths: [folder === '' ? '*' : `${folder}/**`] },
  };
  const lines = [issue.name];
  for (const [title, variant] of Object.entries(variants)) {
    const response = await repository.search({ ...request, ...variant });
    const rows = response.results.map((result) => writeRow(result, issue));
    lines.push('', title, writeHead(response), ...rows);
  }
  const marked = await repository.search({ ...request, feedback });
  const rows = marked.results.flatMap((result) => [
    writeRow(result, issue),
    ...writeEvidence(selectMarks(result.evidence)),
  ]);
  return [...lines, '', 'marked', writeHead(marked), ...rows];
}

function selectMarks(evidence: Evidence): Evidence {
  return Object.fromEntries(Object.entries(evidence).filter(([, own]) => own.family === 'marks'));
}

function list(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function round(value: number | null): string {
  return value === null ? 'unknown' : String(Number(value.toFixed(3)) + 0);
}

function join(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
