/** Extensions in the order in which they are tried: sources before files that may be built from them. */
const EXTENSIONS = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.d.mts',
  '.d.cts',
  '.vue',
  '.svelte',
  '.astro',
] as const;
const EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$|\.(?:vue|svelte|astro)$/;
/** Stem of a folder's index file. */
export const INDEX = 'index';
/** Source folders of a package. */
export const SOURCES: ReadonlySet<string> = new Set(['src', 'lib', 'source']);

/** Files of a repository, by their paths with and without extension. */
export class SourceFiles {
  readonly #files = new Set<string>();

  add(path: string): void {
    this.#files.add(path);
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  /** Returns the file at a path without extension, or null. */
  findFile(stem: string): string | null {
    for (const extension of EXTENSIONS)
      if (this.#files.has(stem + extension)) return stem + extension;
    return null;
  }

  /** Returns the file at a path, or the source that is compiled to it; null if none exists. */
  findByPath(path: string): string | null {
    return this.#files.has(path) ? path : this.findFile(removeExtension(path));
  }

  /** Returns the module at a path without extension: a file, or a folder with an index in it or its source folder. */
  findModule(path: string): string | null {
    return this.findFile(path) ?? this.#findIndex(path, ['', ...SOURCES]);
  }

  /** Returns the index in a folder's source folder, or else its own index, which may only load the build output. */
  findPackageIndex(folder: string): string | null {
    return this.#findIndex(folder, [...SOURCES, '']);
  }

  #findIndex(folder: string, inner: readonly string[]): string | null {
    for (const name of inner) {
      const file = this.findFile([folder, name, INDEX].filter(Boolean).join('/'));
      if (file !== null) return file;
    }
    return null;
  }
}

export function removeExtension(path: string): string {
  return path.replace(EXTENSION, '');
}
