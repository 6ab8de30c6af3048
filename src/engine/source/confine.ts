/** Confines a repository to one folder, since git itself follows pointers and links anywhere. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isInside } from '../../base/folders.ts';
import { gitLine } from '../../base/git/git.ts';
import { readSmallFile } from '../../base/git/special-files.ts';
import { LocusError } from '../../shared/errors.ts';
import { MAX_NAMES } from './limits.ts';

/** Maximum size in bytes of a file that names other object folders. */
const MAX_POINTER_BYTES = 2 ** 20;

/**
 * Checks that git reads nothing outside `within` for a folder; null allows everything. Resolves to false if the
 * repository around the folder begins above `within`. The folder then counts as a plain folder.
 * Rejects with LocusError `bad-repository` if the repository's data is elsewhere (by a `.git` file, a common folder,
 * alternates or links), and with `GitFailure` if the folder is not in a repository.
 */
export async function confine(folder: string, within: string | null): Promise<boolean> {
  if (within === null) return true;
  const limit = realpathSync(within);
  // The folder may have been replaced by a link since it was chosen.
  if (!isInside(realpathSync(folder), limit)) throw createOutsideError(folder, limit);
  // The ceiling keeps git from searching above the limit. If the folder that it finds is outside, something points there.
  const ceiling = dirname(limit);
  const askGitPath = async (option: string) =>
    resolve(folder, await gitLine(folder, ['rev-parse', option], { ceiling }));
  const own = await askGitPath('--absolute-git-dir');
  const confinement = new Confinement(folder, limit);
  await confinement.check(own, 'its .git');
  await confinement.check(await askGitPath('--git-common-dir'), 'its commondir');
  return true;
}

function createOutsideError(folder: string, limit: string): LocusError {
  return new LocusError(
    'bad-repository',
    `${folder} is outside ${limit}.`,
    'Open a folder inside it.',
  );
}

/** Number of entries after which other work of this thread gets a turn. */
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

  /** Checks a file or folder that git reads, and everything it points to. `pointer` names the source of this path. */
  async check(path: string, pointer: string): Promise<void> {
    const real = this.#resolveReal(path, pointer);
    if (real === null || this.#seen.has(real)) return;
    this.#seen.add(real);
    if (!statSync(real).isDirectory()) return;
    await this.#checkLinks(real);
    for (const objects of [join(real, 'objects'), real]) await this.#checkAlternates(objects);
  }

  /** Checks the links in a folder, which may point anywhere inside the limit. */
  async #checkLinks(top: string): Promise<void> {
    const pending = [top];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      for (const child of readdirSync(folder, { withFileTypes: true })) {
        if (++this.#entries % ENTRIES_PER_TURN === 0) await nextTurn();
        if (this.#entries > MAX_NAMES) throw this.#createRefusal('too many files in its .git');
        const path = join(folder, child.name);
        if (child.isSymbolicLink()) await this.check(path, relative(top, path));
        else if (child.isDirectory()) pending.push(path);
      }
    }
  }

  /** Checks other repositories whose objects this one uses. */
  async #checkAlternates(objects: string): Promise<void> {
    const file = join(objects, 'info', 'alternates');
    const content = readSmallFile(file, MAX_POINTER_BYTES, { followLinks: true });
    if (content && 'problem' in content) throw this.#createRefusal('objects/info/alternates');
    for (const line of content?.text.split('\n') ?? []) {
      if (line === '' || line.startsWith('#')) continue;
      // Git quotes names with special characters, which are not supported here.
      if (line.startsWith('"')) throw this.#createRefusal('objects/info/alternates');
      await this.check(resolve(objects, line), 'objects/info/alternates');
    }
  }

  /** Returns the path with links resolved; null if the target is missing. */
  #resolveReal(path: string, pointer: string): string | null {
    let real: string;
    try {
      real = realpathSync(path);
    } catch {
      // Missing, or a link to itself.
      return null;
    }
    if (isInside(real, this.#limit)) return real;
    throw this.#createRefusal(pointer);
  }

  #createRefusal(pointer: string): LocusError {
    return new LocusError(
      'bad-repository',
      `The repository of ${this.#repository} is outside ${this.#limit}: ${pointer} points there.`,
      'Start locus serve with a --root that contains both.',
    );
  }
}
