/** An issue given by link: the options, the question whether it may be fetched, and fetching it. */
import type { Command } from 'commander';
import { readVariable } from '../base/environment.ts';
import { badInput, type LocusError } from '../shared/errors.ts';
import {
  describeLink,
  type FetchedIssue,
  hostOf,
  type IssueLink,
  isIssueLink,
  type LinkOffer,
} from '../shared/issue-link.ts';
import type { IssueSource } from '../shared/issues.ts';
import { quoted } from '../shared/quoted.ts';
import { readIssue } from './options.ts';
import { ask, canAsk } from './question.ts';
import type { Session } from './session.ts';
import { count, counted } from './terminal.ts';

export interface LinkOptions {
  issue?: string;
  file?: string;
  fetch?: boolean;
  comments?: boolean;
  dataDir?: string;
}

export interface GivenIssue {
  text: string;
  /** Where it was fetched from; null for a text. */
  source: IssueSource | null;
}

export function withLinkOptions(command: Command): Command {
  return command
    .option(
      '--issue <text or link>',
      'the issue: its text, its address, owner/repo#123, or #123 of the repository’s remote',
    )
    .option(
      '--fetch',
      'fetch an issue that is given by link, which asks its host (or set LOCUS_FETCH_HOSTS)',
    )
    .option('--comments', 'fetch its comments, too');
}

/**
 * The issue that a command on a repository, or on several (null), is given: words, `--issue`, `--file` or standard input. What is a link and nothing else is
 * fetched if that is agreed to.
 *
 * @throws LocusError `bad-input` when there is none, more than one, or a link that may not be fetched; `not-fetched`.
 */
export async function issueOf(
  session: Session,
  dir: string | null,
  words: string[],
  options: LinkOptions,
): Promise<GivenIssue> {
  if (options.issue !== undefined && words.length > 0) {
    throw badInput('the issue is given twice, as text and with --issue', 'give one of them');
  }
  const given = options.issue === undefined ? words : [options.issue];
  const text = await readIssue(session.host, given, options.file);
  if (!isIssueLink(text)) return { text, source: null };
  const fromStdin = options.file === '-' || given[0] === '-';
  return fetchAgreed(session, dir, text, options, !fromStdin);
}

async function fetchAgreed(
  session: Session,
  dir: string | null,
  text: string,
  options: LinkOptions,
  mayAsk: boolean,
): Promise<GivenIssue> {
  const [{ barred, fetchIssue, isAgreed, offerOf, resolveLink }, { storedSetting }] =
    await Promise.all([
      import('../services/issue-links/issue-links.ts'),
      import('../services/stored-setting.ts'),
    ]);
  const { env, signal } = session.host;
  const link = await resolveLink(text, { root: dir });
  if (!link) return { text, source: null };
  const dataDir = options.dataDir ?? readVariable('LOCUS_DATA_DIR', env);
  const stored = storedSetting('fetchHosts', dataDir) ?? [];
  const hosts = [...stored, ...readVariable('LOCUS_FETCH_HOSTS', env)];
  if (!isAgreed(link, hosts)) {
    const bar = barred(link);
    if (bar) throw bar;
    if (!options.fetch) {
      if (!mayAsk || !canAsk(session)) throw notAgreed(link);
      await askToFetch(session, link, await offerOf(link, hosts, env), dataDir);
    }
  }
  const fetched = await fetchIssue(link, { env, signal, comments: options.comments });
  session.note(`locus: ${describeFetched(link, fetched)}`);
  for (const note of fetched.notes) session.note(`locus: ${note}`);
  return { text: fetched.text, source: fetched.source };
}

/** Asks once, on the terminal; returns when the answer is yes. */
async function askToFetch(
  session: Session,
  link: IssueLink,
  { what, host, asks, token }: LinkOffer,
  dataDir: string | undefined,
): Promise<void> {
  const answer = await ask(
    session.host,
    `This is a link. Fetch ${what} from ${host}? It asks ${asks}, ${token ? `with your token of ${token}` : 'without a token'}.\n[y] once, [a] always from ${host}, [N] no: `,
  );
  if (answer === 'a' || answer === 'always') return agree(session, host, dataDir);
  if (answer !== 'y' && answer !== 'yes') throw notAgreed(link);
}

async function agree(session: Session, host: string, dataDir: string | undefined): Promise<void> {
  const [{ openAppDatabase }, { SettingsStore }, { dataDirectory }] = await Promise.all([
    import('../backend/app-database.ts'),
    import('../backend/settings.ts'),
    import('../services/locations.ts'),
  ]);
  using database = openAppDatabase(dataDirectory(dataDir));
  for (const note of database.notes) session.note(`locus: ${note}`);
  const settings = new SettingsStore(database);
  settings.set({ fetchHosts: [...new Set([...settings.get().fetchHosts, host])] });
}

function notAgreed(link: IssueLink): LocusError {
  const host = hostOf(link);
  return badInput(
    `this is a link, to ${describeLink(link)} on ${host}, and nothing is fetched unasked`,
    `paste the text of the issue, or add --fetch; for all issues of this host, set LOCUS_FETCH_HOSTS=${host}`,
  );
}

function describeFetched(link: IssueLink, { text, asks, token, comments }: FetchedIssue): string {
  const parts = comments > 0 ? `title, body and ${counted(comments, 'comment')}` : 'title and body';
  const how = token ? `with the token of ${token}` : 'without a token';
  const title = text.split('\n', 1)[0] ?? '';
  return `fetched ${describeLink(link)} from ${asks}, ${how}: ${parts}, ${count(text.length)} characters: ${quoted(title)}`;
}
