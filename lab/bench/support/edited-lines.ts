import { findEdits, groupHunks } from '../../../src/base/edited-chunks.ts';
import { git } from '../../../src/base/git/git.ts';
import type { EvaluationInstance } from '../../../src/services/evaluation/dataset.ts';
import type { Lines } from './attempt.ts';

/**
 * Returns the lines that a fix changed, in the files before it: deleted lines, and the two lines around an insertion.
 *
 * @param root a clone that has the instance's commit
 */
export async function readEditedLines(root: string, instance: EvaluationInstance): Promise<Lines> {
  const { base_commit: commit, patch } = instance;
  const lines = new Map<string, Set<number>>();
  for (const [path, hunks] of groupHunks(patch)) {
    const text = (await git(root, ['cat-file', 'blob', `${commit}:${path}`])).toString('utf8');
    const changed = new Set<number>();
    for (const { first, last } of findEdits(hunks, text)) {
      const [from, to] = last < first ? [first - 1, first] : [first, last];
      for (let line = from; line <= to; line++) changed.add(line);
    }
    lines.set(path, changed);
  }
  return lines;
}
