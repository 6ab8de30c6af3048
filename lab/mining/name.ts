import { basename } from 'node:path';
import { git } from '../../src/base/git/git.ts';
import { openTree } from '../../src/engine/lab.ts';

/**
 * Returns the name of a repository in training data: `owner+name` of its remote `origin`, or else of a folder `owner__name`,
 * or else the folder's name.
 * @throws LocusError `bad-repository` if it is not a git repository with a commit, or `cancelled`
 */
export async function readRepositoryName(root: string, signal?: AbortSignal): Promise<string> {
  const tree = await openTree(root, { revision: 'HEAD', signal });
  await tree.close();
  const url = await git(tree.root, ['config', '--get', 'remote.origin.url']).then(String, () => '');
  const [, owner, name] = /[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?\s*$/.exec(url) ?? [];
  if (owner && /:/.test(url)) return `${owner}+${name}`;
  const folder = basename(tree.root.replace(/[/\\]?\.git$/, ''));
  return folder.replace('__', '+').replace(/[^\w.+-]+/g, '_') || 'repository';
}
