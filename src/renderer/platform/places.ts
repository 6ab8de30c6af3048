/** What is open, one folder or several, as the window names it and finds its files. */
import type { OpenedRepository } from '../../shared/repository.ts';
import { apart, rootsIn } from '../../shared/several.ts';

/** A root, or the folders of several, for people. */
export function titleOfPlace(root: string): string {
  return rootsIn(root)?.join(', ') ?? root;
}

/** Where a file of what is open lies: the folder of its repository, and its path there. */
export function locate(
  { root, members = [] }: Pick<OpenedRepository, 'root' | 'members'>,
  path: string,
): { root: string; path: string } {
  const own = apart(path, (name) => members.some((member) => member.name === name));
  const member = members.find(({ name }) => name === own?.name);
  return own && member ? { root: member.root, path: own.path } : { root, path };
}
