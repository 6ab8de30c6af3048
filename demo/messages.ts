import { git } from '../src/base/git/git.ts';

/** Returns a commit's message, without the final line end. @throws LocusError `bad-repository` */
export async function readMessage(root: string, commit: string): Promise<string> {
  const args = ['--no-patch', '--always', '--root', '--encoding=UTF-8', '--format=%B', commit];
  return (await git(root, ['diff-tree', ...args])).toString('utf8').trim();
}
