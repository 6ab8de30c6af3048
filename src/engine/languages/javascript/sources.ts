/** In the order in which they are tried: sources before what may be made of them. */
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
] as const;
const EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$/;
/** Stem of the file that stands for its folder. */
export const INDEX = 'index';
/** Folders of a package that hold its sources. */
export const SOURCES: ReadonlySet<string> = new Set(['src', 'lib', 'source']);

/** The files of a repository by their paths with and without extension. */
export class Sources {
  readonly #files = new Set<string>();

  add(path: string): void {
    this.#files.add(path);
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  /** The file at a path without extension, or null. */
  file(stem: string): string | null {
    for (const extension of EXTENSIONS)
      if (this.#files.has(stem + extension)) return stem + extension;
    return null;
  }

  /** The file of a path, or the one that is compiled to it; null for none. */
  named(path: string): string | null {
    return this.#files.has(path) ? path : this.file(withoutExtension(path));
  }

  /** The module at a path without extension: a file, or a folder with an index among its sources. */
  module(path: string): string | null {
    return this.file(path) ?? this.#index(path, ['', ...SOURCES]);
  }

  /** The index of a folder's sources, which may have one beside them that loads what was made of them. */
  packaged(folder: string): string | null {
    return this.#index(folder, [...SOURCES, '']);
  }

  #index(folder: string, inner: readonly string[]): string | null {
    for (const name of inner) {
      const file = this.file([folder, name, INDEX].filter(Boolean).join('/'));
      if (file !== null) return file;
    }
    return null;
  }
}

export function withoutExtension(path: string): string {
  return path.replace(EXTENSION, '');
}
