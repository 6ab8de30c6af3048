/** Implements `locus export --post`: finds the issue, asks for permission, and posts the list. */

import { badInput, LocusError } from '../shared/errors.ts';
import { formatCount } from '../shared/format-count.ts';
import type { IssueSource } from '../shared/issues.ts';
import type { ExportFormat } from '../shared/lists.ts';
import type { PostResult, PostTarget } from '../shared/post.ts';
import { ask, canAsk } from './question.ts';
import type { Session } from './session.ts';

export interface PostCliOptions {
  /** Issue to post to; true for the fetched one. */
  post?: string | true;
  yes?: boolean;
  output?: string;
}

/**
 * Returns the issue that `--post` names; null without `--post`. This runs before the search, so that a command that cannot
 * post fails early.
 *
 * @param dir folder of the repository, for issue numbers of its remote; null for a workspace
 * @throws LocusError `bad-input` for an issue that is not on GitHub, or without a terminal to ask on; `not-posted` without gh
 */
export async function resolvePostTarget(
  session: Session,
  dir: string | null,
  { post, yes, output }: PostCliOptions,
  { format, source }: { format: ExportFormat; source: IssueSource | null },
): Promise<PostTarget | null> {
  if (post === undefined) {
    if (yes) throw badInput('--yes has no effect without --post.', 'Add --post, or omit --yes.');
    return null;
  }
  if (format !== 'markdown' || output !== undefined) {
    const other = output === undefined ? `--format ${format}` : '--output';
    const message = `--post cannot be combined with ${other}: it posts Markdown.`;
    throw badInput(message, 'Give one of them.');
  }
  const issue = post === true ? source?.url : post;
  if (issue === undefined) {
    throw badInput(
      '--post names no issue, and none was fetched by URL.',
      'Add owner/repo#123, #123 of the repository’s remote, or a URL after --post.',
    );
  }
  const { findGh, parsePostTarget } = await import('../services/post/target.ts');
  const target = await parsePostTarget(issue, { root: dir });
  if (!yes && !canAsk(session)) throw notAgreed(target);
  if (findGh(session.host.env) === null) {
    throw new LocusError(
      'not-posted',
      'GitHub’s command line, gh, is not installed.',
      'Install it from https://cli.github.com, or omit --post and paste the Markdown.',
    );
  }
  return target;
}

/** Shows the text, asks for permission unless `--yes` is given, and posts it. */
export async function postList(
  session: Session,
  target: PostTarget,
  list: string,
  { yes }: PostCliOptions,
): Promise<PostResult> {
  const { postComment, preparePostText } = await import('../services/post/post.ts');
  const { host } = session;
  const text = preparePostText(list);
  if (!yes) {
    const question = `\nPost these ${formatCount(text.length)} characters as your comment on ${target.label}, using gh? [y/N]: `;
    const answer = await ask(host, text + question);
    if (answer !== 'y' && answer !== 'yes') throw notAgreed(target);
  }
  return postComment(target, text, { env: host.env, signal: host.signal });
}

function notAgreed({ label }: PostTarget): LocusError {
  return badInput(
    `Nothing was posted to ${label}: you did not agree.`,
    'Answer y at a terminal, or add --yes. To print the list, omit --post.',
  );
}
