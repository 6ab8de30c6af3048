/** Prints what `locus setup` changes, and asks for permission. */
import { shortenPath } from '../services/setup/config-file.ts';
import type { PlannedFile } from '../services/setup/plan.ts';
import type { PlannedRemoval } from '../services/setup/remove.ts';
import { badInput, type Failure, formatFailure, type LocusError } from '../shared/errors.ts';
import { formatCounted } from '../shared/format-count.ts';
import { escapeHidden, quoteName } from '../shared/quote.ts';
import { ask, canAsk } from './question.ts';
import type { Session } from './session.ts';

const ACTIONS: Record<PlannedFile['action'] | PlannedRemoval['action'], string> = {
  create: 'new file',
  add: 'added to',
  update: 'updated',
  same: 'already set up',
  kept: 'left as it is',
  failed: 'left as it is',
  restore: 'restored',
  delete: 'deleted',
  'take-out': 'entry removed',
  release: 'kept for other agents',
  forget: 'nothing left to remove',
};

/** Renders a file with its agents, and the text that is added to it. */
export function renderFile(
  file: PlannedFile | PlannedRemoval,
  home: string,
  { colors }: Session,
): string[] {
  const { path, agents, action, note, failure } = file;
  const reason = failure ? formatFailure(failure) : note;
  const what = 'what' in file ? `${file.what}, ` : '';
  return [
    `${quoteName(shortenPath(path, home))}  ${colors.dim(`${what}${ACTIONS[action]} (${agents.join(', ')})`)}`,
    ...(reason === null ? [] : [`  ${escapeHidden(reason)}`]),
    ...('added' in file
      ? renderAdded(file).map((line) => `  ${colors.green(`+ ${escapeHidden(line)}`)}`)
      : []),
  ];
}

/** Lists the lines of an entry. Whole files are only counted. */
function renderAdded({ added, write }: PlannedFile): string[] {
  const lines = added.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (!write || write.edit) return lines;
  return [formatCounted(lines.length, 'line')];
}

/**
 * Returns true if the person agrees to write these files.
 * @throws LocusError `bad-input` if nobody can be asked, or the answer is no
 */
export async function agreeToWrite(count: number, yes: boolean, session: Session): Promise<void> {
  if (yes) return;
  if (!canAsk(session)) throw notAgreed();
  const answer = await ask(session.host, `Write ${formatCounted(count, 'file')}? [y/N]: `);
  if (answer !== 'y' && answer !== 'yes') throw notAgreed();
}

const notAgreed = (): LocusError =>
  badInput(
    'No file was changed: you did not agree.',
    'Answer y at a terminal, or add --yes. To only see the changes, add --dry-run.',
  );

/** Adds the failures of writing to files, which are then as they were. */
export const withFailures = <T extends { path: string; action: string; failure: Failure | null }>(
  files: readonly T[],
  failures: ReadonlyMap<string, Failure>,
): T[] =>
  files.map((file) => {
    const failure = failures.get(file.path);
    return failure ? { ...file, action: 'failed', failure } : file;
  });
