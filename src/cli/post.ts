/** `locus export --post`: the issue that a list goes to, the question whether it may, and posting it. */
import { badInput, LocusError } from '../shared/errors.ts';
import type { IssueSource } from '../shared/issues.ts';
import type { ExportFormat } from '../shared/lists.ts';
import type { Posted, PostTarget } from '../shared/post.ts';
import { ask, canAsk } from './question.ts';
import type { Session } from './session.ts';
import { count } from './terminal.ts';

export interface PostOptions {
  /** The issue to post to; true for the one that was fetched. */
  post?: string | true;
  yes?: boolean;
  output?: string;
}

/**
 * What `--post` stands for; null without it. Before anything is searched for, so that a command which cannot post says so at once.
 *
 * @param dir the repository that a number is of; null for several.
 * @throws LocusError `bad-input` for an issue that is none of GitHub's, and where nobody can be asked; `not-posted` without gh.
 */
export async function postTarget(
  session: Session,
  dir: string | null,
  { post, yes, output }: PostOptions,
  { format, source }: { format: ExportFormat; source: IssueSource | null },
): Promise<PostTarget | null> {
  if (post === undefined) {
    if (yes) throw badInput('--yes agrees to nothing', 'give --post as well');
    return null;
  }
  if (format !== 'markdown' || output !== undefined) {
    const other = output === undefined ? `--format ${format}` : '--output';
    const text = `--post and ${other} do not go together: what is posted is Markdown`;
    throw badInput(text, 'give one of them');
  }
  const issue = post === true ? source?.url : post;
  if (issue === undefined) {
    throw badInput(
      '--post does not say to which issue, and none was fetched by link',
      'give owner/repo#123, #123 of the repository’s remote, or an address after --post',
    );
  }
  const { findGh, readTarget } = await import('../services/post/target.ts');
  const target = await readTarget(issue, { root: dir });
  if (!yes && !canAsk(session)) throw notAgreed(target);
  if (findGh(session.host.env) === null) {
    throw new LocusError(
      'not-posted',
      'gh, which posts to GitHub, is not installed',
      'install it from https://cli.github.com, or leave out --post and paste the Markdown',
    );
  }
  return target;
}

/** Shows the text, asks unless `--yes` has agreed, and posts it. */
export async function postList(
  session: Session,
  target: PostTarget,
  list: string,
  { yes }: PostOptions,
): Promise<Posted> {
  const { postComment, postedText } = await import('../services/post/post.ts');
  const { host } = session;
  const text = postedText(list);
  if (!yes) {
    const question = `\nPost these ${count(text.length)} characters as your comment to ${target.label}, by gh? [y/N]: `;
    const answer = await ask(host, text + question);
    if (answer !== 'y' && answer !== 'yes') throw notAgreed(target);
  }
  return postComment(target, text, { env: host.env, signal: host.signal });
}

function notAgreed({ label }: PostTarget): LocusError {
  return badInput(
    `nothing is posted to ${label} without your word`,
    'answer y at a terminal, or add --yes; without --post the list is printed',
  );
}
