/** Files without definitions: configuration, style sheets and documentation. They are split by their own structure. */

/** Groups of files without definitions. */
export type SectionGroup = 'configuration' | 'style sheet' | 'documentation';

/**
 * Part of a file by the file's own structure. Sections of a file do not overlap and are in order; a section ends where the next
 * begins.
 */
export interface Section {
  /**
   * Names from the outermost to its own: `['jobs', 'build']`; for documentation the headings around it and its own. The text
   * before the first name has the base name of its file.
   */
  path: readonly string[];
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  /**
   * Other names by which an issue may mention it: keys inside, classes, ids and custom properties of selectors, a workflow's
   * `name`, targets of anchors. Without duplicates, at most 100.
   */
  keys: readonly string[];
}

/** A kind of file that is split into sections. */
export interface SectionForm {
  /** Value of `language` in chunks. */
  name: string;
  title: string;
  /** Monaco's id of the language. */
  monaco: string;
  group: SectionGroup;
  /** In lower case, with the dot. */
  extensions: readonly string[];
  /** Base names, in any case. */
  names: readonly string[];
}
