/** Keeps the reading of a repository inside one folder: git follows pointers and links wherever they lead. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isInside } from '../../base/folders.ts';
import { gitLine } from '../../base/git/git.ts';
import { readSmallFile } from '../../base/git/special-files.ts';
import { LocusError } from '../../shared/errors.ts';
import { LARGEST_FILE, MOST_NAMES } from './limits.ts';

/**
 * Whether git may be asked about a folder of which only what lies in `within` may be read; null is everywhere. False
 * when the repository around it begins above `within`: then the folder stands for itself.
 * Rejects with LocusError `bad-repository` when the repository's data is elsewhere (a `.git` file, a common folder,
 * alternates or links that lead out), and with `GitFailure` when the folder is in no repository.
 */
export async function confine(folder: string, within: string | null): Promise<boolean> {
  if (within === null) return true;
  const limit = realpathSync(within);
  // The folder may have been replaced by a link since it was chosen.
  if (!isInside(realpathSync(folder), limit)) throw outside(folder, limit);
  // With the ceiling, what git finds was not found by going up; so if it is outside, something points there.
  const ceiling = dirname(limit);
  const ask = async (what: string) =>
    resolve(folder, await gitLine(folder, ['rev-parse', what], { ceiling }));
  const own = await ask('--absolute-git-dir');
  const confinement = new Confinement(folder, limit);
  await confinement.check(own, 'its .git');
  await confinement.check(await ask('--git-common-dir'), 'its commondir');
  return true;
}

function outside(folder: string, limit: string): LocusError {
  return new LocusError(
    'bad-repository',
    `${folder} leads out of ${limit}.`,
    'Open a folder that lies inside it.',
  );
}

/** Entries looked at between two chances for other work of this thread. */
const ENTRIES_PER_TURN = 2000;

class Confinement {
  readonly #repository: string;
  readonly #limit: string;
  readonly #seen = new Set<string>();
  #entries = 0;

  constructor(repository: string, limit: string) {
    this.#repository = repository;
    this.#limit = limit;
  }

  /** A file or folder that git reads, with all that it leads to; `pointer` says what led here. */
  async check(path: string, pointer: string): Promise<void> {
    const real = this.#real(path, pointer);
    if (real === null || this.#seen.has(real)) return;
    this.#seen.add(real);
    if (!statSync(real).isDirectory()) return;
    await this.#links(real);
    for (const objects of [join(real, 'objects'), real]) await this.#alternates(objects);
  }

  /** Links in a folder may lead anywhere inside. */
  async #links(top: string): Promise<void> {
    const pending = [top];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      for (const child of readdirSync(folder, { withFileTypes: true })) {
        if (++this.#entries % ENTRIES_PER_TURN === 0) await nextTurn();
        if (this.#entries > MOST_NAMES) throw this.#refusal('too many files in its .git');
        const path = join(folder, child.name);
        if (child.isSymbolicLink()) await this.check(path, relative(top, path));
        else if (child.isDirectory()) pending.push(path);
      }
    }
  }

  /** Other repositories whose objects count as this one's. */
  async #alternates(objects: string): Promise<void> {
    const file = join(objects, 'info', 'alternates');
    const content = readSmallFile(file, LARGEST_FILE, { followLinks: true });
    if (content && 'problem' in content) throw this.#refusal('objects/info/alternates');
    for (const line of content?.text.split('\n') ?? []) {
      if (line === '' || line.startsWith('#')) continue;
      // Git quotes names with special characters; nobody has to name a folder so.
      if (line.startsWith('"')) throw this.#refusal('objects/info/alternates');
      await this.check(resolve(objects, line), 'objects/info/alternates');
    }
  }

  /** The path with links resolved; null where it leads to nothing. */
  #real(path: string, pointer: string): string | null {
    let real: string;
    try {
      real = realpathSync(path);
    } catch {
      // It leads to nothing.
      return null;
    }
    if (isInside(real, this.#limit)) return real;
    throw this.#refusal(pointer);
  }

  #refusal(pointer: string): LocusError {
    return new LocusError(
      'bad-repository',
      `The repository of ${this.#repository} is kept outside of ${this.#limit}: ${pointer} leads there`,
      'Start locus serve with a --root that holds both.',
    );
  }
}
