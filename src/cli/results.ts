/** A search's results for a person at a terminal: two lines each, and a footer with what was made of the issue. */
import { companionClauses, ranksOf } from '../shared/companions.ts';
import { reasonsOf } from '../shared/evidence.ts';
import type { FleetResponse } from '../shared/fleet.ts';
import { named, visible } from '../shared/quoted.ts';
import {
  type IssueReport,
  percentSure,
  type RankedChunk,
  type SearchResponse,
} from '../shared/search.ts';
import { apart } from '../shared/several.ts';
import type { VerifiedChunk } from '../shared/verifier.ts';
import type { Session } from './session.ts';
import {
  bar,
  type Colors,
  columnsOf,
  count,
  counted,
  fit,
  fitName,
  fitPath,
  padEnd,
  padStart,
} from './terminal.ts';
import { renderVerdict, renderVerification, type VerifiedResponse } from './verify.ts';

const BAR = 6;
/** A result says so many, as far as they fit. */
const REASONS = 3;
/** Of a bar: what has no score above 0 is in the list all the same. */
const LEAST = 0.04;

/** `dir`: the folder that was searched, as other commands take it; null for none, as of a fleet. */
export function renderResults(
  response: VerifiedResponse | FleetResponse,
  session: Session,
  dir: string | null,
): string[] {
  const { results } = response;
  const verification = 'verification' in response ? response.verification : undefined;
  const { colors, columns } = session;
  const [first] = results;
  if (!first) return ['Nothing found.', ...footer(response, session)];
  const layout = layoutOf(results, columns);
  const verified = new Map(verification?.chunks.map((chunk) => [chunk.address, chunk]));
  const rankOf = ranksOf(results);
  const lines = results.flatMap((result) => {
    const unlisted = result.companions?.filter(({ address }) => rankOf(address) === undefined);
    return renderResult(result, layout, colors, {
      verified: verified.get(result.address),
      goesWith: companionClauses(unlisted ?? [], rankOf),
    });
  });
  const hint = session.interactive && dir !== null ? hintFor(first, response, session, dir) : [];
  const check = verification ? [colors.dim(fit(renderVerification(verification), columns))] : [];
  return [...lines, '', ...footer(response, session), ...check, ...hint];
}

/** Tells how to see the first result; nothing for a name that could pass for more than one. */
function hintFor(
  first: RankedChunk,
  response: Pick<SearchResponse, 'repositories'>,
  { colors, host }: Session,
  dir: string,
): string[] {
  if (named(first.address) !== first.address) return [];
  const words = placeOf(first, response, dir).map(shellWord);
  return ['', colors.dim(`  ${host.program ?? 'locus'} show ${words.join(' ')}`)];
}

/** Where a result is, for another command: its repository's folder, and its address there. */
function placeOf(
  { address, repository }: RankedChunk,
  response: Pick<SearchResponse, 'repositories'>,
  dir: string,
) {
  const own = response.repositories?.find(({ name }) => name === repository);
  const place = own && apart(address, (name) => name === own.name);
  return own && place ? [own.root, place.path] : [dir, address];
}

interface Layout {
  columns: number;
  rank: number;
  name: number;
  kind: number;
  /** What a full bar is; whatever else is listed, so that a longer list has the same bars. */
  full: number;
}

/** Column widths that fit all results of one list. */
function layoutOf(results: readonly RankedChunk[], columns: number): Layout {
  const rank = String(Math.max(...results.map((result) => result.rank))).length;
  const kind = Math.max(...results.map((result) => result.kind.length));
  // rank, bar, name, kind and location share a line; the name gives way first, then the location.
  const name = Math.min(
    Math.max(...results.map((result) => columnsOf(named(result.qualifiedName)))),
    Math.max(16, Math.floor((columns - rank - BAR - kind - 10) * 0.5)),
  );
  return { columns, rank, name, kind, full: results[0] ? strengthOf(results[0]) : 0 };
}

/** What a bar shows: the score, or of several repositories what compares their results. */
const strengthOf = ({ score, probability }: RankedChunk): number => probability ?? score;

function renderResult(
  result: RankedChunk,
  layout: Layout,
  colors: Colors,
  { verified, goesWith }: { verified: VerifiedChunk | undefined; goesWith: readonly string[] },
): string[] {
  const { columns, rank, name, kind, full } = layout;
  const margin = 1 + rank + 1 + BAR + 2;
  const strength = full > 0 ? strengthOf(result) / full : Number(strengthOf(result) >= full);
  const room = columns - margin - name - 2 - kind - 2;
  const line = String(result.startLine);
  const ofPackage = result.package === undefined ? '' : named(result.package);
  const place = Math.max(8, room - line.length - 1);
  const beside = ofPackage === '' ? 0 : Math.min(columnsOf(ofPackage), Math.floor(place / 3)) + 2;
  const path = fitName(result.path, Math.max(8, place - beside), fitPath);
  const head = [
    ` ${colors.dim(padStart(String(result.rank), rank))} ${colors.cyan(padEnd(bar(Math.max(LEAST, strength), BAR), BAR))}`,
    colors.bold(padEnd(fitName(result.qualifiedName, name), name)),
    colors.dim(padEnd(result.kind, kind)),
    `${path}${colors.dim(`:${line}`)}`,
    ...(beside > 0 ? [colors.dim(fitName(result.package ?? '', beside - 2))] : []),
  ].join('  ');
  const said = reasonsOf(result.evidence, REASONS).map(({ sentence }) => visible(sentence));
  const why = joinFitting(said, ' · ', columns - margin - 1);
  const verdict = verified ? renderVerdict(verified, colors, columns - margin - 1) : [];
  const together = joinFitting(goesWith.map(visible), ' · ', columns - margin - 1);
  const below = [why, together].flatMap((line) => (line ? [inCode(line, colors)] : []));
  return [head, ...[...below, ...verdict].map((line) => ' '.repeat(margin) + line)];
}

/** As many parts as fit, whole; the first one cut when even it is too long. */
function joinFitting(parts: string[], separator: string, columns: number): string {
  for (let n = parts.length; n > 1; n--) {
    const joined = parts.slice(0, n).join(separator);
    if (columnsOf(joined) <= columns) return joined;
  }
  return fit(parts[0] ?? '', columns);
}

/** Makes the quotations of a dim sentence stand out. */
function inCode(sentence: string, colors: Colors): string {
  return sentence
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 ? colors.yellow(part) : colors.dim(part)))
    .join('');
}

/** The lines below a list, each cut to the terminal. */
function footer(
  response: SearchResponse | FleetResponse,
  { colors, columns }: Pick<Session, 'colors' | 'columns'>,
): string[] {
  const { repository, repositories, model, partial, issue, confidence, refined, tookMs } = response;
  const dim = (label: string, text: string) =>
    colors.dim(fit(` ${label.padEnd(7)}${text}`, columns));
  const warn = (label: string, text: string) =>
    colors.yellow(fit(` ${label.padEnd(7)}${text}`, columns));
  const recognised = used(issue);
  const at = repository.revision ? ` at ${repository.revision.slice(0, 10)}` : '';
  const files = 'files' in repository ? ` in ${counted(repository.files, 'file')}` : '';
  // Of several, the name is a phrase.
  const name = files === '' || repositories ? visible(repository.name) : named(repository.name);
  const size = `${counted(repository.chunks, 'function')}${files} of ${name}${at}`;
  const time = `${Math.max(1, Math.round(tookMs))} ms`;
  const { state, read, of, milliseconds, models, note: unread } = refined;
  const by = `by ${models.map(named).join(', ')}, in ${Math.round(milliseconds)} ms`;
  const likely = (repositories ?? [])
    .filter(({ results, failure }) => results > 0 && !failure)
    .map(({ name, chance }) => `${named(name)} ${Math.round(100 * chance)}%`);
  const failed = (repositories ?? []).filter(({ failure }) => failure);
  const lines = [
    recognised.length > 0 && dim('issue', recognised.join(' · ')),
    state === 'refined'
      ? dim('read', `${read} of ${of}, ${by}`)
      : unread !== null && warn('read', `none, this is the first list: ${visible(unread)}`),
    likely.length > 0 && dim('from', likely.join(' · ')),
    failed.length > 0 &&
      warn('failed', `${failed.map(({ name }) => named(name)).join(', ')}: not searched`),
    confidence !== null &&
      dim(
        'sure',
        `one of the first five is to be edited with a probability of about ${percentSure(confidence)}%`,
      ),
    dim('in', `${size} · ${named(model.id)} on ${model.device} · ${time}`),
    ...issue.notes.map((note) => warn('note', visible(note))),
    partial &&
      colors.yellow(
        ` partial: ${visible(partial.reason)} (${count(partial.embedded)} of ${count(partial.chunks)} functions encoded)`,
      ),
  ];
  return lines.filter((line) => typeof line === 'string');
}

/** What of the issue was recognised, each kind with its first few. */
function used({ names, paths, frames }: IssueReport): string[] {
  const list = (label: string, texts: string[]) => {
    const distinct = [...new Set(texts)];
    if (distinct.length === 0) return [];
    const shown = distinct.slice(0, 4).map(named).join(', ');
    const more = distinct.length > 4 ? ` and ${distinct.length - 4} more` : '';
    return [`${label}${distinct.length > 1 ? 's' : ''} ${shown}${more}`];
  };
  const own = frames.filter(({ address }) => address !== null);
  return [
    ...list(
      'name',
      Array.from(names, ({ text }) => text),
    ),
    ...list(
      'path',
      Array.from(paths, ({ text }) => text),
    ),
    ...list(
      'frame',
      Array.from(own, ({ name, line }) => `${name}:${line}`),
    ),
  ];
}

/** A word as a shell takes it, quoted only when it must be. */
function shellWord(word: string): string {
  const shown = visible(word);
  return /^[\w./:@%+,=~-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
