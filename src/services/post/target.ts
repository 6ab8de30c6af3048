/** The issue that a list is to be posted to, and whether there is a `gh` to do it. */
import type { Environment } from '../../base/environment.ts';
import { badInput } from '../../shared/errors.ts';
import { type PostTarget, postTargetOf } from '../../shared/post.ts';
import { type Place, resolveLink } from '../issue-links/issue-links.ts';
import { findProgram } from '../programs.ts';

/** Where installers put it, for a desktop app, which gets no shell's PATH. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  darwin: ['/opt/homebrew/bin/gh', '/usr/local/bin/gh'],
  win32: ['C:\\Program Files\\GitHub CLI\\gh.exe'],
};

/** Where `gh` is; null where it is not installed. Runs nothing. */
export const findGh = (env: Environment, platform: string = process.platform): string | null =>
  findProgram(['gh', ...(PLACES[platform] ?? [])], env, platform);

/**
 * What a text stands for that somebody wrote as the issue to post to: `owner/repo#123`, `#123` of the repository's remote,
 * or an address. Reads the remotes of the repository, and reaches nowhere.
 *
 * @throws LocusError `bad-input` where that is no issue of GitHub's.
 */
export async function readTarget(text: string, place: Place): Promise<PostTarget> {
  const link = await resolveLink(text, place);
  if (!link) {
    throw badInput(
      `“${text.slice(0, 200)}” is no issue to post to`,
      'give owner/repo#123, #123 of the repository’s remote, or the address of an issue on GitHub',
    );
  }
  const target = postTargetOf(link);
  if (!('refused' in target)) return target;
  throw badInput(
    `gh cannot comment on ${target.refused}`,
    'give the address of an issue on GitHub, or copy the Markdown and paste it there',
  );
}
