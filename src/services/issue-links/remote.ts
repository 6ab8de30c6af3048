import { GitFailure, git } from '../../engine/source/git.ts';
import { type Remote, readRemote } from '../../shared/issue-link.ts';

/** Where issues are: of a fork, in the project that it was made of. */
const NAMES = ['upstream', 'origin'] as const;

/** The project that a repository was cloned or forked from, by its remotes; null where they say none, or there is no repository. */
export async function remoteOf(root: string, ceiling?: string): Promise<Remote | null> {
  const addresses = await remoteUrls(root, ceiling);
  for (const name of NAMES) {
    const remote = readRemote(addresses.get(name) ?? '');
    if (remote) return remote;
  }
  return null;
}

/** The first URL of each remote, as it stands in the configuration of the repository. */
async function remoteUrls(root: string, ceiling?: string): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  const wanted = `^remote\\.(${NAMES.join('|')})\\.url$`;
  try {
    const args = ['config', '--local', '-z', '--get-regexp', wanted] as const;
    const output = (await git(root, args, ceiling === undefined ? {} : { ceiling })).toString(
      'utf8',
    );
    for (const entry of output.split('\0')) {
      const [key = '', url = ''] = entry.split('\n', 2);
      const name = key.split('.')[1];
      if (name && !urls.has(name)) urls.set(name, url);
    }
  } catch (error) {
    // It has no such remote, or is no repository.
    if (!(error instanceof GitFailure) || !error.gitRefused) throw error;
  }
  return urls;
}
