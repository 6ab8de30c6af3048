/** Reads an issue that is given by URL: declares the options, asks for permission, and fetches it. */

import type { Command } from 'commander';
import { readVariable } from '../base/environment.ts';
import { badInput, type LocusError } from '../shared/errors.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import {
  describeIssueUrl,
  type FetchedIssue,
  type FetchOffer,
  formatHost,
  type IssueUrl,
  isIssueUrl,
} from '../shared/issue-url.ts';
import type { IssueSource } from '../shared/issues.ts';
import { quoteText } from '../shared/quote.ts';
import { readIssue } from './options.ts';
import { ask, canAsk } from './question.ts';
import type { Session } from './session.ts';

export interface IssueUrlOptions {
  issue?: string;
  file?: string;
  fetch?: boolean;
  comments?: boolean;
  dataDir?: string;
}

export interface GivenIssue {
  text: string;
  /** Host and URL that it was fetched from; null for plain text. */
  source: IssueSource | null;
}

export function withIssueUrlOptions(command: Command): Command {
  return command
    .option(
      '--issue <text or url>',
      'the issue: its text, its URL, owner/repo#123, or #123 of the repository’s remote',
    )
    .option(
      '--fetch',
      'fetch an issue that is given by URL from its host (or set LOCUS_FETCH_HOSTS)',
    )
    .option('--comments', 'also fetch its comments');
}

/**
 * Reads the issue of a command from its words, `--issue`, `--file` or standard input. A text that is only an issue URL is
 * fetched if the user agrees.
 *
 * @param dir folder of the repository, for issue numbers of its remote; null for a workspace
 * @throws LocusError `bad-input` without an issue, with more than one, or if fetching is not allowed; `not-fetched`
 */
export async function readGivenIssue(
  session: Session,
  dir: string | null,
  words: string[],
  options: IssueUrlOptions,
): Promise<GivenIssue> {
  if (options.issue !== undefined && words.length > 0) {
    throw badInput('The issue is given twice, as text and with --issue.', 'Give one of them.');
  }
  const given = options.issue === undefined ? words : [options.issue];
  const text = await readIssue(session.host, given, options.file);
  if (!isIssueUrl(text)) return { text, source: null };
  const fromStdin = options.file === '-' || given[0] === '-';
  return fetchIfAllowed(session, dir, text, options, !fromStdin);
}

async function fetchIfAllowed(
  session: Session,
  dir: string | null,
  text: string,
  options: IssueUrlOptions,
  canPrompt: boolean,
): Promise<GivenIssue> {
  const [
    { findFetchObstacle, fetchIssue, isFetchAllowed, makeFetchOffer, resolveIssueUrl },
    { readStoredSetting },
  ] = await Promise.all([
    import('../services/issue-urls/issue-urls.ts'),
    import('../services/stored-setting.ts'),
  ]);
  const { env, signal } = session.host;
  const link = await resolveIssueUrl(text, { root: dir });
  if (!link) return { text, source: null };
  const dataDir = options.dataDir ?? readVariable('LOCUS_DATA_DIR', env);
  const stored = readStoredSetting('fetchHosts', dataDir) ?? [];
  const hosts = [...stored, ...readVariable('LOCUS_FETCH_HOSTS', env)];
  if (!isFetchAllowed(link, hosts)) {
    const bar = findFetchObstacle(link);
    if (bar) throw bar;
    if (!options.fetch) {
      if (!canPrompt || !canAsk(session)) throw notAgreed(link);
      await askToFetch(session, link, await makeFetchOffer(link, hosts, env), dataDir);
    }
  }
  const fetched = await fetchIssue(link, { env, signal, comments: options.comments });
  session.note(`locus: ${describeFetched(link, fetched)}`);
  for (const note of fetched.notes) session.note(`locus: ${note}`);
  return { text: fetched.text, source: fetched.source };
}

/** Asks on the terminal whether to fetch. @throws LocusError `bad-input` if the answer is no */
async function askToFetch(
  session: Session,
  link: IssueUrl,
  { what, host, apiHost, token }: FetchOffer,
  dataDir: string | undefined,
): Promise<void> {
  const answer = await ask(
    session.host,
    `This is an issue URL. Fetch ${what} from ${host}? Locus asks ${apiHost}, ${token ? `with your token of ${token}` : 'without a token'}.\n[y] once, [a] always from ${host}, [N] no: `,
  );
  if (answer === 'a' || answer === 'always') return allowHost(session, host, dataDir);
  if (answer !== 'y' && answer !== 'yes') throw notAgreed(link);
}

async function allowHost(
  session: Session,
  host: string,
  dataDir: string | undefined,
): Promise<void> {
  const [{ openAppDatabase }, { SettingsStore }, { getDataDirectory }] = await Promise.all([
    import('../backend/app-database.ts'),
    import('../backend/settings.ts'),
    import('../services/locations.ts'),
  ]);
  using database = openAppDatabase(getDataDirectory(dataDir));
  for (const note of database.notes) session.note(`locus: ${note}`);
  const settings = new SettingsStore(database);
  settings.set({ fetchHosts: [...new Set([...settings.get().fetchHosts, host])] });
}

function notAgreed(link: IssueUrl): LocusError {
  const host = formatHost(link);
  return badInput(
    `This is a URL of ${describeIssueUrl(link)} on ${host}. Locus fetches it only if you agree.`,
    `Add --fetch, or paste the text of the issue. To allow this host always, set LOCUS_FETCH_HOSTS=${host}.`,
  );
}

function describeFetched(link: IssueUrl, { text, apiHost, token, comments }: FetchedIssue): string {
  const parts =
    comments > 0 ? `title, body and ${formatCounted(comments, 'comment')}` : 'title and body';
  const how = token ? `with the token of ${token}` : 'without a token';
  const title = text.split('\n', 1)[0] ?? '';
  return `Fetched ${describeIssueUrl(link)} from ${apiHost}, ${how}: ${parts}, ${formatCount(text.length)} characters: ${quoteText(title)}`;
}
