import { type Remote, readRemote } from '../../shared/issue-link.ts';
import { remoteUrl } from '../remote/origin.ts';

/** Where issues are: of a fork, in the project that it was made of. */
const NAMES = ['upstream', 'origin'] as const;

/** The project that a repository was cloned or forked from, by its remotes; null where they say none, or there is no repository. */
export async function remoteOf(root: string, ceiling?: string): Promise<Remote | null> {
  for (const name of NAMES) {
    const remote = readRemote((await remoteUrl({ root, ceiling }, name)) ?? '');
    if (remote) return remote;
  }
  return null;
}
