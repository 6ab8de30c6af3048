/** Files that hold code among other text, such as components with templates and notebooks. */

export interface MarkupForm {
  read(text: string): Markup;
  /** Returns true for a member of a component that its template cannot name. Left out if it can name all. */
  isHidden?(qualifiedName: string): boolean;
  /** Method of a component whose functions its template can name, such as Vue's `setup`; undefined if the component lacks it. */
  initializer?: string;
}

export interface Markup {
  /**
   * Text of the same length for the grammar. Code keeps its position, also the code in templates; all other text is white space
   * or punctuation between them.
   */
  code: string;
  /** Text of the chunks, of the same length: that of the file, or the code if the file is an encoding of it. */
  text: string;
  /** Parts of templates, in order of their start, outer before inner. Only open ones have others in them. */
  sections: readonly MarkupSection[];
  /** Offsets at which the cells of a notebook begin, in order; left out for other files. */
  cells?: readonly number[];
}

/** Part of a template, which becomes a chunk. Every name in its code counts as a call. */
export interface MarkupSection {
  name: string;
  /** Offsets in the text in UTF-16 units. The end is exclusive. */
  startIndex: number;
  endIndex: number;
  /** Names that the template binds: variables of loops, properties of slots. */
  locals: readonly string[];
  /** Components that it uses, which the file need not import. */
  components: readonly string[];
  /** True if the definitions and parts in it are chunks, too. Its text is what is left. */
  isOpen?: boolean;
  /** True for a block that no name calls. */
  isBlock?: boolean;
}

/** Name of a template, or of its first part. It cannot be the name of a definition in code. */
export const TEMPLATE_NAME = '<template>';

/** Returns the module that an import of a component by its name alone has. */
export function formatComponentModule(name: string): string {
  return `<${name}>`;
}
