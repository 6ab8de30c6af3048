/** Determines which folders agents may use, and resolves the `repository` argument of a call to one of them. */

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside, realFolder } from '../base/folders.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import { quoteText } from '../shared/quote.ts';

export interface RootedFolder {
  /** Real path, without symbolic links. */
  folder: string;
  /** Folder that limits all reads, including those through a repository's pointers; null for a root, which was named explicitly. */
  within: string | null;
}

/** Source of the roots. The remedy of an error depends on it. */
type RootsSource = 'user' | 'client' | 'directory';

const REMEDY: Record<RootsSource, string> = {
  user: 'start the server with another --repo <folder> to add one',
  client: 'open the folder in the client, or start the server with --repo <folder>',
  directory: 'start the server with --repo <folder> to name others',
};

/** Root folders of a session: each is a repository or contains repositories. */
export class Roots {
  readonly #folders: string[];
  readonly #source: RootsSource;

  private constructor(folders: readonly string[], source: RootsSource) {
    this.#folders = [...new Set(folders)];
    this.#source = source;
  }

  /**
   * Returns roots for the folders that the user named.
   * @throws LocusError `bad-repository` if one is not a folder
   */
  static fromUser(folders: readonly string[]): Roots {
    return new Roots(folders.map(realFolder), 'user');
  }

  /** Returns roots for the `file://` URLs that the client named, without those that are not folders on this machine. */
  static fromClient(uris: readonly string[]): Roots {
    return new Roots(uris.flatMap(toFolder), 'client');
  }

  /** Returns the git repository of the working directory as the only root; no roots outside of a repository. */
  static fromDirectory(directory: string): Roots {
    const top = findRepository(realpathSync(directory));
    return new Roots(top === null ? [] : [top], 'directory');
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  /**
   * Returns the folder for `repository`: a root by name or path, or a folder inside a root; the only root if undefined.
   * Neither links nor `..` lead out of the roots.
   * @throws LocusError `bad-input`, which lists the roots
   */
  find(repository: string | undefined): RootedFolder {
    const [first] = this.#folders;
    if (first === undefined) throw noRoots(this.#source);
    if (repository === undefined) {
      if (this.#folders.length === 1) return { folder: first, within: null };
      throw this.#refuse('There is more than one repository.');
    }
    const matches = this.#findByName(repository);
    if (matches.length === 1 && matches[0]) return { folder: matches[0], within: null };
    if (matches.length > 1)
      throw this.#refuse(`${quoteText(repository)} is the name of several repositories.`);
    return this.#findInside(repository);
  }

  #findInside(repository: string): RootedFolder {
    const unknown = () => this.#refuse(`The repository ${quoteText(repository)} is unknown.`);
    const path = isAbsolute(repository) ? repository : this.#joinToRoot(repository);
    if (path === null) throw unknown();
    // The error is the same for folders outside the roots and for missing ones, so that it reveals neither.
    const folder = existsSync(path) ? realpathSync(path) : resolve(path);
    if (this.#folders.includes(folder)) return { folder, within: null };
    const within = this.#folders.find((root) => isInside(folder, root));
    if (within === undefined || !existsSync(folder)) throw unknown();
    return { folder: realFolder(folder), within };
  }

  /** Resolves a relative path inside the only root, or inside the root that its first part names; null if neither applies. */
  #joinToRoot(path: string): string | null {
    const [first, ...others] = this.#folders;
    if (first !== undefined && others.length === 0) return join(first, path);
    const [name = '', ...inside] = normalize(path).split(sep);
    const matches = this.#findByName(name);
    return matches.length === 1 && matches[0] ? join(matches[0], ...inside) : null;
  }

  #findByName(name: string): string[] {
    return this.#folders.filter((folder) => basename(folder) === name);
  }

  #refuse(problem: string): LocusError {
    const roots = this.#folders.map(
      (folder) => `${quoteText(basename(folder))} (${quoteText(folder)})`,
    );
    return badInput(
      `${problem} Available: ${roots.join(', ')}.`,
      `Set \`repository\` to one of these or a folder inside one, or ${REMEDY[this.#source]}.`,
    );
  }
}

function noRoots(source: RootsSource): LocusError {
  const [problem, remedy] =
    source === 'client'
      ? [
          'The client has no folder of this machine open.',
          'Open the folder in the client, or start the server with --repo <folder>.',
        ]
      : [
          'No repository is given, and the working directory is not in one.',
          'Start the server with --repo <folder>, or in a git repository.',
        ];
  return new LocusError('bad-repository', problem, remedy);
}

function toFolder(uri: string): string[] {
  try {
    return [realFolder(fileURLToPath(uri))];
  } catch {
    // Not a folder of this machine.
    return [];
  }
}

function findRepository(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : findRepository(parent);
}
