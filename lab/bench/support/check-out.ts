/** Writes the files of a commit to a folder, of any language, as a person would have them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';

/**
 * Checks out a commit of a clone, which may be bare.
 * @param target folder to create
 * @param inside folder of the commit to check out; all of it by default. Paths stay relative to the root of the commit.
 */
export function checkOut(clone: string, revision: string, target: string, inside?: string): void {
  const archive = `${target}.tar`;
  const paths = inside === undefined ? [] : [inside];
  execFileSync('git', ['-C', clone, 'archive', `--output=${archive}`, revision, ...paths]);
  mkdirSync(target);
  execFileSync('tar', ['-xf', archive, '-C', target]);
  rmSync(archive);
}
