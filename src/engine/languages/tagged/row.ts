/** Description of a language that is read by the tags of its grammar. Users write such rows, too, in JSON. */
export interface LanguageRow {
  /** Name in the store, in exports and in messages: `swift`. Its folder has the same name. */
  name: string;
  /** Name as people write it: `Swift`. */
  title: string;
  /** Extensions with the dot, in lower case. */
  extensions: readonly string[];
  /** Base names of files without these extensions, such as `Makefile`. */
  fileNames?: readonly string[];
  /** Node types of comments; default: `comment`. */
  comments?: readonly string[];
  /** Node types of annotations and modifiers, which may be on the rows above the header of a definition. */
  decorators?: readonly string[];
  /** Words that the grammar does not know, and that are read as white space. */
  blanks?: readonly string[];
  /** Field of a definition's body; default: `body`. */
  body?: string;
  /** True if a function may be defined by several clauses, one after the other. */
  clauses?: boolean;
  /** True if every definition reaches to the next, as the stages of a Dockerfile do. */
  reachesNext?: boolean;
  /** Text between the parts of a name, such as `.` in Lua's `function shop.total()`. In issues, `.` and `::` are too. */
  separators?: readonly string[];
  /** Characters within names beside letters, digits and `_`. */
  wordCharacters?: string;
  /** Words in front of a name that is defined, by which definitions are found in text with syntax errors and in history. */
  headers?: { function?: readonly string[]; class?: readonly string[] };
  /** Names of constructors. */
  constructors?: readonly string[];
  /** False if the ends of definitions cannot be told by the indentation of their lines; default: true. */
  isIndented?: boolean;
  /** True if blocks are between braces, which may begin on the row below a header. */
  hasBraces?: boolean;
  /** Columns of a tab; default: 4. */
  tabWidth?: number;
  /** Stems of test files, with `*` for any text: `*Tests`. Without them, no errors of this language are found in issues. */
  tests?: readonly string[];
  /** Names of test folders, in addition to those of any language. */
  testFolders?: readonly string[];
  /** Base names of generated files, with `*` for any text: `*.pb.swift`. */
  generated?: readonly string[];
  /** Name in Monaco, and after a fence in Markdown; default: the name. Other names after a fence are in `fences`. */
  monaco?: string;
  fences?: readonly string[];
  /** Source with one definition and no error, to check the parser; left out if it need not be checked. */
  example?: string;
}

/** Row of a language whose grammar and tags Locus brings. */
export interface BuiltInRow extends LanguageRow {
  /** Package of the grammar, and its WebAssembly file. */
  grammar: string;
  example: string;
  /** More first lines of definitions, for text with syntax errors: `text.headers` of `Language`. */
  headerPatterns?: readonly RegExp[];
  /** `prepare` of `Language`. It is in the folder of the language, so that a change of it parses its files again. */
  prepare?(text: string): string;
}
