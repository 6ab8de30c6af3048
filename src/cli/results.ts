/** Renders search results for a terminal: two lines each, and a footer about the search. */

import type { CheckedChunk } from '../shared/check.ts';
import { MAX_REASONS, pickReasons } from '../shared/evidence.ts';
import type { FleetResponse } from '../shared/fleet.ts';
import { formatCell } from '../shared/format-cell.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import { escapeHidden, quoteName, quoteText } from '../shared/quote.ts';
import { indexRanks, writeRelationClauses } from '../shared/related-chunks.ts';
import {
  type IssueReport,
  type PartialRanking,
  type RankedChunk,
  roundConfidence,
  type SearchResponse,
} from '../shared/search.ts';
import { getShownName } from '../shared/shown-name.ts';
import { splitMember } from '../shared/workspace.ts';
import { type CheckedResponse, renderCheck, renderChecked } from './check.ts';
import type { Session } from './session.ts';
import {
  type Colors,
  countColumns,
  drawBar,
  padEnd,
  padStart,
  truncate,
  truncateName,
  truncatePath,
} from './terminal.ts';

/** Width of a bar, in columns. */
const BAR = 6;
/** Minimum length of a bar, as a fraction of 1, for results with a score of 0 or less. */
const MIN_BAR = 0.04;

/** Renders the results of a search. @param dir searched folder, for the suggested command; null for a fleet */
export function renderResults(
  response: CheckedResponse | FleetResponse,
  session: Session,
  dir: string | null,
): string[] {
  const { results } = response;
  const check = 'check' in response ? response.check : undefined;
  const { colors, columns } = session;
  const [first] = results;
  if (!first) return ['No results.', ...footer(response, session)];
  const layout = fitLayout(results, columns);
  const checked = new Map(check?.chunks.map((chunk) => [chunk.address, chunk]));
  const rankOf = indexRanks(results);
  const lines = results.flatMap((result) => {
    const unlisted = result.related?.filter(({ address }) => rankOf(address) === undefined);
    return renderResult(result, layout, colors, {
      checked: checked.get(result.address),
      related: writeRelationClauses(unlisted ?? [], rankOf),
    });
  });
  const hint =
    session.isInteractive && dir !== null ? renderHint(first, response, session, dir) : [];
  const checkedBy = check ? [colors.dim(truncate(renderCheck(check), columns))] : [];
  return [...lines, '', ...footer(response, session), ...checkedBy, ...hint];
}

/** Returns the command that shows the first result; empty if its name had to be quoted, since the command would not find it. */
function renderHint(
  first: RankedChunk,
  response: Pick<SearchResponse, 'repositories'>,
  { colors, host }: Session,
  dir: string,
): string[] {
  if (quoteName(first.address) !== first.address) return [];
  const words = locateForCommand(first, response, dir).map(quoteForShell);
  return ['', colors.dim(`  ${host.program ?? 'locus'} show ${words.join(' ')}`)];
}

/** Returns the folder of a result's repository and its address there, for another command. */
function locateForCommand(
  { address, repository }: RankedChunk,
  response: Pick<SearchResponse, 'repositories'>,
  dir: string,
) {
  const own = response.repositories?.find(({ name }) => name === repository);
  const member = own && splitMember(address, (name) => name === own.name);
  return own && member ? [own.root, member.path] : [dir, address];
}

interface Layout {
  columns: number;
  rank: number;
  name: number;
  kind: number;
  /** Strength of a full bar: that of the first result, so that a longer list has the same bars. */
  full: number;
}

/** Returns column widths that fit all results of a list. */
function fitLayout(results: readonly RankedChunk[], columns: number): Layout {
  const rank = String(Math.max(...results.map((result) => result.rank))).length;
  const kind = Math.max(...results.map((result) => result.kind.length));
  // Rank, bar, name, kind and location share a line. The name is shortened first, then the location.
  const name = Math.min(
    Math.max(...results.map((result) => countColumns(quoteName(getShownName(result))))),
    Math.max(16, Math.floor((columns - rank - BAR - kind - 10) * 0.5)),
  );
  return { columns, rank, name, kind, full: results[0] ? getStrength(results[0]) : 0 };
}

/** Returns the value that a bar shows: the score, or the calibrated probability in a workspace. */
const getStrength = ({ score, probability }: RankedChunk): number => probability ?? score;

function renderResult(
  result: RankedChunk,
  layout: Layout,
  colors: Colors,
  options: { checked: CheckedChunk | undefined; related: readonly string[] },
): string[] {
  const { columns, rank, name, kind, full } = layout;
  const { checked, related } = options;
  const margin = 1 + rank + 1 + BAR + 2;
  const strength = full > 0 ? getStrength(result) / full : Number(getStrength(result) >= full);
  const room = columns - margin - name - 2 - kind - 2;
  const line = `${result.startLine}${formatCell(result)}`;
  const packageName = result.package === undefined ? '' : quoteName(result.package);
  const forPath = Math.max(8, room - line.length - 1);
  const forPackage =
    packageName === '' ? 0 : Math.min(countColumns(packageName), Math.floor(forPath / 3)) + 2;
  const path = truncateName(result.path, Math.max(8, forPath - forPackage), truncatePath);
  const head = [
    ` ${colors.dim(padStart(String(result.rank), rank))} ${colors.cyan(padEnd(drawBar(Math.max(MIN_BAR, strength), BAR), BAR))}`,
    colors.bold(padEnd(truncateName(getShownName(result), name), name)),
    colors.dim(padEnd(result.kind, kind)),
    `${path}${colors.dim(`:${line}`)}`,
    ...(forPackage > 0 ? [colors.dim(truncateName(result.package ?? '', forPackage - 2))] : []),
  ].join('  ');
  const sentences = pickReasons(result.evidence, MAX_REASONS).map(({ sentence }) =>
    escapeHidden(sentence),
  );
  const reasons = joinFitting(sentences, ' · ', columns - margin - 1);
  const opinion = checked ? renderChecked(checked, colors, columns - margin - 1) : [];
  const together = joinFitting(related.map(escapeHidden), ' · ', columns - margin - 1);
  const below = [reasons, together].flatMap((line) => (line ? [highlightCode(line, colors)] : []));
  return [head, ...[...below, ...opinion].map((line) => ' '.repeat(margin) + line)];
}

/** Joins as many parts as fit. If not even the first fits, cuts it. */
function joinFitting(parts: string[], separator: string, columns: number): string {
  for (let n = parts.length; n > 1; n--) {
    const joined = parts.slice(0, n).join(separator);
    if (countColumns(joined) <= columns) return joined;
  }
  return truncate(parts[0] ?? '', columns);
}

/** Dims a sentence, except code in backticks. */
function highlightCode(sentence: string, colors: Colors): string {
  return sentence
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 ? colors.yellow(part) : colors.dim(part)))
    .join('');
}

/** Returns the lines below a list, each cut to the width of the terminal. */
function footer(
  response: SearchResponse | FleetResponse,
  { colors, columns }: Pick<Session, 'colors' | 'columns'>,
): string[] {
  const { repository, repositories, model, partial, issue, confidence, reranking, tookMs } =
    response;
  const dim = (label: string, text: string) =>
    colors.dim(truncate(` ${label.padEnd(7)}${text}`, columns));
  const warn = (label: string, text: string) =>
    colors.yellow(truncate(` ${label.padEnd(7)}${text}`, columns));
  const recognized = describeRecognized(issue);
  const at = repository.revision ? ` at ${repository.revision.slice(0, 10)}` : '';
  const files = 'files' in repository ? ` in ${formatCounted(repository.files, 'file')}` : '';
  // The name of a workspace is a phrase, not an identifier to quote.
  const name =
    files === '' || repositories ? escapeHidden(repository.name) : quoteName(repository.name);
  const size = `${formatCounted(repository.chunks, 'function')}${files} of ${name}${at}`;
  const time = `${Math.max(1, Math.round(tookMs))} ms`;
  const { state, count, of, milliseconds, models, note: reason } = reranking;
  const by = `by ${models.map(quoteName).join(', ')}, in ${Math.round(milliseconds)} ms`;
  const likely = (repositories ?? [])
    .filter(({ results, failure }) => results > 0 && !failure)
    .map(({ name, chance }) => `${quoteName(name)} ${Math.round(100 * chance)}%`);
  const failed = (repositories ?? []).filter(({ failure }) => failure);
  const lines = [
    recognized.length > 0 && dim('issue', recognized.join('; ')),
    state === 'reranked' && dim('rerank', `${count} of ${of}, ${by}`),
    reason !== null &&
      warn('rerank', `${state === 'reranked' ? '' : 'not done: '}${escapeHidden(reason)}`),
    likely.length > 0 && dim('likely', likely.join(' · ')),
    failed.length > 0 &&
      warn('failed', `${failed.map(({ name }) => quoteName(name)).join(', ')}: not searched`),
    confidence !== null &&
      dim(
        'chance',
        `about ${roundConfidence(confidence)}% that the fix edits one of the first five`,
      ),
    dim('index', `${size} · ${quoteName(model.id)} on ${model.device} · ${time}`),
    ...issue.notes.map((note) => warn('note', escapeHidden(note))),
    partial &&
      colors.yellow(` partial: ${escapeHidden(partial.reason)}${describeEmbedded(partial)}`),
  ];
  return lines.filter((line) => typeof line === 'string');
}

/**
 * Describes the names, paths and frames that were recognized in the issue, with the first four of each. A text that is a name
 * and a path is listed as a path.
 */
function describeRecognized({ names, paths, frames }: IssueReport): string[] {
  const list = (label: string, texts: string[]) => {
    const distinct = [...new Set(texts)];
    if (distinct.length === 0) return [];
    const shown = distinct.slice(0, 4).map(quoteText).join(', ');
    const more = distinct.length > 4 ? ` and ${distinct.length - 4} more` : '';
    return [`${label}${distinct.length > 1 ? 's' : ''} ${shown}${more}`];
  };
  const own = frames.filter(({ address }) => address !== null);
  const pathTexts = paths.map(({ text }) => text);
  const nameTexts = names.map(({ text }) => text).filter((text) => !pathTexts.includes(text));
  return [
    ...list('name', nameTexts),
    ...list('path', pathTexts),
    ...list(
      'frame',
      Array.from(own, ({ name, line }) => `${name}:${line}`),
    ),
  ];
}

/** Quotes a word for a shell if necessary. */
function quoteForShell(word: string): string {
  const shown = escapeHidden(word);
  return /^[\w./:@%+,=~-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}

function describeEmbedded({ embedded, chunks }: PartialRanking): string {
  if (embedded === chunks) return '';
  return ` (${formatCount(embedded)} of ${formatCount(chunks)} functions encoded)`;
}
