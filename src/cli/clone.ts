/** Implements a URL as the target of a search: asks for permission, and clones the repository. */
import { existsSync } from 'node:fs';
import { isCloneUrl } from '../services/clone-url.ts';
import { badInput, type LocusError } from '../shared/errors.ts';
import { quoteText } from '../shared/quote.ts';
import { type RepositoryCliOptions, toOpenOptions } from './options.ts';
import { ask, canAsk } from './question.ts';
import type { Session } from './session.ts';

export interface CloneCliOptions extends RepositoryCliOptions {
  yes?: boolean;
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
  const { folder, commit } = await updateClone(address, {
    dataDirectory: prepareDataDirectory(toOpenOptions(options, session.host).dataDir),
    agree: () => agree(target, address.host, options, session),
    onNote: (note) => session.note(`locus: ${note}`),
    signal: session.host.signal,
  });
  session.note(
    `locus: Searching commit ${commit.slice(0, 12)} of ${quoteText(target)}, without past commits.`,
  );
  return { root: folder, options: { ...options, at: commit } };
}

async function agree(
  url: string,
  host: string | null,
  { yes }: CloneCliOptions,
  session: Session,
): Promise<void> {
  if (yes) return;
  if (!canAsk(session)) throw notAgreed(url);
  const answer = await ask(
    session.host,
    `Clone the newest commit of ${quoteText(url)} into Locus's data directory? Each search of this URL then asks ${host ?? 'that folder'} for newer commits. [y/N]: `,
  );
  if (answer !== 'y' && answer !== 'yes') throw notAgreed(url);
}

const notAgreed = (url: string): LocusError =>
  badInput(
    `${quoteText(url)} was not cloned: you did not agree.`,
    'Answer y at a terminal, or add --yes.',
  );
