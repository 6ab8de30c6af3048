/** Implements a URL as the target of a search: asks for permission, and clones the repository. */
import { existsSync } from 'node:fs';
import type { CloneHistory } from '../services/clone-history.ts';
import { isCloneUrl } from '../services/clone-url.ts';
import { badInput, type LocusError } from '../shared/errors.ts';
import type { CloneProgress } from '../shared/fleet.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import { MAX_CLONED_COMMITS } from '../shared/limits.ts';
import { quoteText } from '../shared/quote.ts';
import { type RepositoryCliOptions, toOpenOptions } from './options.ts';
import { ask, canAsk } from './question.ts';
import type { Session } from './session.ts';

export interface CloneCliOptions extends RepositoryCliOptions {
  yes?: boolean;
  /** True to fetch past commits too. */
  history?: boolean;
}

/**
 * Returns the folder to search, and the commit in it for a URL, which is cloned or updated. Returns other targets unchanged.
 * @throws LocusError `bad-input` for an unsupported URL, or if the person does not agree; others as for `updateClone`
 */
export async function resolveTarget<Options extends CloneCliOptions>(
  target: string,
  options: Options,
  session: Session,
): Promise<{ root: string; options: Options }> {
  if (!isCloneUrl(target) || existsSync(target)) {
    if (options.yes) throw badInput('--yes has no effect without a URL to clone.', 'Omit it.');
    if (options.history) {
      throw badInput(
        '--history has no effect without a URL to clone.',
        'Omit it. In a shallow clone of yours, run git fetch --unshallow.',
      );
    }
    return { root: target, options };
  }
  if (options.at !== undefined) {
    throw badInput(
      '--at cannot be combined with a URL: its newest commit is cloned.',
      'Clone the repository yourself, and search its folder with --at.',
    );
  }
  const [{ updateClone }, { readCloneUrl }, { prepareDataDirectory }] = await Promise.all([
    import('../services/clones.ts'),
    import('../services/clone-url.ts'),
    import('../services/locations.ts'),
  ]);
  const address = readCloneUrl(target);
  const notes: string[] = [];
  const { folder, commit, history } = await session.showText((show) =>
    updateClone(address, {
      dataDirectory: prepareDataDirectory(toOpenOptions(options, session.host).dataDir),
      agree: () => agree(target, address.host, options, session),
      history: options.history,
      onNote: (note) => notes.push(note),
      onProgress: (progress) => show(formatProgress(progress)),
      signal: session.host.signal,
    }),
  );
  notes.push(
    `Searching commit ${commit.slice(0, 12)} of ${quoteText(target)}${describeHistory(history)}.`,
  );
  for (const note of notes) session.note(`locus: ${note}`);
  return { root: folder, options: { ...options, at: commit } };
}

const PHASES: Record<CloneProgress['phase'], string> = {
  asking: 'contacting the host',
  receiving: 'receiving objects',
  resolving: 'resolving deltas',
  writing: 'writing files',
};

function formatProgress({ phase, done, total }: CloneProgress): string {
  const numbers = total > 0 ? ` ${formatCount(done)}/${formatCount(total)}` : '';
  return `fetching commits: ${PHASES[phase]}${numbers}`;
}

/** Returns the end of a sentence: how many past commits a clone has, and how to get more. */
function describeHistory({ commits, isComplete }: CloneHistory): string {
  if (commits === 0) return isComplete ? '' : ', without past commits. Add --history to fetch them';
  const known = `, with ${formatCounted(commits, 'past commit')}`;
  return isComplete ? known : `${known}. Add --history to fetch more`;
}

async function agree(
  url: string,
  host: string | null,
  { yes, history }: CloneCliOptions,
  session: Session,
): Promise<void> {
  if (yes) return;
  if (!canAsk(session)) throw notAgreed(url);
  const past = history ? ` and about ${formatCount(MAX_CLONED_COMMITS)} past commits` : '';
  const answer = await ask(
    session.host,
    `Clone the newest commit${past} of ${quoteText(url)} into Locus's data directory? Each search of this URL then asks ${host ?? 'that folder'} for newer commits. [y/N]: `,
  );
  if (answer !== 'y' && answer !== 'yes') throw notAgreed(url);
}

const notAgreed = (url: string): LocusError =>
  badInput(
    `${quoteText(url)} was not cloned: you did not agree.`,
    'Answer y at a terminal, or add --yes.',
  );
