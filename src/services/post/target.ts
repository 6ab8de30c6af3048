/** Resolves the issue to post a list to, and finds `gh`. */
import type { Environment } from '../../base/environment.ts';
import { findProgram } from '../../base/programs.ts';
import { badInput } from '../../shared/errors.ts';
import { type PostTarget, resolvePostTarget } from '../../shared/post.ts';
import { type IssueScope, resolveIssueUrl } from '../issue-urls/issue-urls.ts';

/** Paths where installers put gh. A desktop app does not inherit the shell's PATH. */
const INSTALL_PATHS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['/opt/homebrew/bin/gh', '/usr/local/bin/gh'],
  win32: ['C:\\Program Files\\GitHub CLI\\gh.exe'],
};

/** Returns the path of `gh`; null if it is not installed. Runs nothing. */
export const findGh = (env: Environment, platform: string = process.platform): string | null =>
  findProgram(['gh', ...(INSTALL_PATHS[platform] ?? [])], env, platform);

/**
 * Resolves the issue that a user entered as the target: `owner/repo#123`, `#123` of the repository's remote, or a URL. Reads only the
 * remotes of the repository.
 *
 * @throws LocusError `bad-input` if it is not an issue on GitHub
 */
export async function parsePostTarget(text: string, place: IssueScope): Promise<PostTarget> {
  const link = await resolveIssueUrl(text, place);
  if (!link) {
    throw badInput(
      `“${text.slice(0, 200)}” is not an issue.`,
      'Give owner/repo#123, #123 of the repository’s remote, or the URL of an issue on GitHub.',
    );
  }
  const target = resolvePostTarget(link);
  if (!('refused' in target)) return target;
  throw badInput(
    `The GitHub command-line tool gh cannot comment on ${target.refused}.`,
    'Give the URL of an issue on GitHub, or copy the Markdown and paste it there.',
  );
}
