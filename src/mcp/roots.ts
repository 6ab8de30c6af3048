/** Which folders may be asked about, and which of them a call means. */

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside, realFolder } from '../base/folders.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import { quoted } from '../shared/quoted.ts';

export interface Place {
  /** Without links. */
  folder: string;
  /** Nothing outside of it is read, not by a repository's pointers either; null for a root, which was named as it is. */
  within: string | null;
}

/** Who named the roots: it is said in errors, whose remedy depends on it. */
type Named = 'user' | 'client' | 'directory';

const REMEDY: Record<Named, string> = {
  user: 'start the server with another --repo <folder> to add one',
  client: 'open the folder in the client, or start the server with --repo <folder>',
  directory: 'start the server with --repo <folder> to name others',
};

/** The folders of a session: each a repository, or a folder that holds some. */
export class Roots {
  readonly #folders: string[];
  readonly #by: Named;

  private constructor(folders: readonly string[], by: Named) {
    this.#folders = [...new Set(folders)];
    this.#by = by;
  }

  /**
   * Those that the user named.
   * @throws LocusError `bad-repository` for one that is no folder.
   */
  static ofUser(folders: readonly string[]): Roots {
    return new Roots(folders.map(realFolder), 'user');
  }

  /** Those that the client named, `file://` addresses; what is no folder of this machine is left out. */
  static ofClient(uris: readonly string[]): Roots {
    return new Roots(uris.flatMap(folderOf), 'client');
  }

  /** The git repository around the working directory; none where there is no such. */
  static ofDirectory(directory: string): Roots {
    const top = repositoryAround(realpathSync(directory));
    return new Roots(top === null ? [] : [top], 'directory');
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  /**
   * The folder that `repository` means: a root by its name or path, or a folder inside one; the only root without it.
   * Neither links nor `..` lead out of the roots.
   * @throws LocusError `bad-input` that names the roots there are.
   */
  find(repository: string | undefined): Place {
    const [first] = this.#folders;
    if (first === undefined) throw nothingNamed(this.#by);
    if (repository === undefined) {
      if (this.#folders.length === 1) return { folder: first, within: null };
      throw this.#refusal('there is more than one repository');
    }
    const named = this.#named(repository);
    if (named.length === 1 && named[0]) return { folder: named[0], within: null };
    if (named.length > 1) throw this.#refusal(`${quoted(repository)} is the name of several`);
    return this.#inside(repository);
  }

  #inside(repository: string): Place {
    const unknown = () =>
      this.#refusal(`${quoted(repository)} is not one of the repositories here`);
    const path = isAbsolute(repository) ? repository : this.#joined(repository);
    if (path === null) throw unknown();
    // What is outside is not told apart from what is not there.
    const folder = existsSync(path) ? realpathSync(path) : resolve(path);
    if (this.#folders.includes(folder)) return { folder, within: null };
    const within = this.#folders.find((root) => isInside(folder, root));
    if (within === undefined || !existsSync(folder)) throw unknown();
    return { folder: realFolder(folder), within };
  }

  /** A relative path is one in the only root, or begins with the name of one of several; null where that says nothing. */
  #joined(path: string): string | null {
    const [first, ...others] = this.#folders;
    if (first !== undefined && others.length === 0) return join(first, path);
    const [name = '', ...inside] = normalize(path).split(sep);
    const named = this.#named(name);
    return named.length === 1 && named[0] ? join(named[0], ...inside) : null;
  }

  #named(name: string): string[] {
    return this.#folders.filter((folder) => basename(folder) === name);
  }

  #refusal(problem: string): LocusError {
    const known = this.#folders.map((folder) => `${quoted(basename(folder))} (${quoted(folder)})`);
    return badInput(
      `${problem}; there is: ${known.join(', ')}`,
      `give \`repository\` as one of these, or a folder inside; or ${REMEDY[this.#by]}`,
    );
  }
}

function nothingNamed(by: Named): LocusError {
  const [problem, remedy] =
    by === 'client'
      ? ['the client names no folder of this machine', REMEDY.client]
      : [
          'no repository is named, and the working directory is in none',
          'start the server with --repo <folder>, or in a git repository',
        ];
  return new LocusError('bad-repository', problem, remedy);
}

function folderOf(uri: string): string[] {
  try {
    return [realFolder(fileURLToPath(uri))];
  } catch {
    // Not a folder of this machine.
    return [];
  }
}

function repositoryAround(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : repositoryAround(parent);
}
