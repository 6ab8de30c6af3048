import type { FileIndex } from './file-index.ts';

/**
 * What the edges of one file were derived from, so that an edit elsewhere can tell whether they may
 * change: the files looked into, the names looked up there, the module names tried, and the names that
 * were searched for in the whole repository.
 */
export class Reads {
  readonly files = new Set<string>();
  readonly names = new Set<string>();
  readonly modules = new Set<string>();
  readonly guesses = new Set<string>();
  /** Files that the edges lead into. */
  readonly callees = new Set<string>();

  look(file: FileIndex, name: string): void {
    this.files.add(file.path);
    this.names.add(name);
  }

  include(other: Reads): void {
    for (const path of other.files) this.files.add(path);
    for (const name of other.names) this.names.add(name);
    for (const name of other.modules) this.modules.add(name);
  }
}
