/**
 * Patterns of a language's code and output in the text of an issue. Each language has one in its folder. What is independent
 * of languages (Markdown, Trac, templates, logs, shell prompts) is in `src/engine/issue`. Issues come from anywhere, so no
 * pattern may take more than linear time.
 */
export interface IssueSyntax {
  /** Line of code outside any code block. */
  codeLine: RegExp;
  /** Line of an interactive session that starts with a prompt: input, its continuation, or output. */
  prompt: RegExp;
  /** Line of a session that starts with a prompt without indentation and has input after it. */
  input: RegExp;
  /** First line of a traceback, and lines that continue it. */
  traceback: { begins: RegExp; continues: RegExp };
  /** Forms of frames, global, with groups `path`, `line` and, if the form includes it, `name`. */
  frames: readonly RegExp[];
  /** Position of the innermost frame in a printed traceback. */
  innermost: 'first' | 'last';
  /** Text before the frames of an error's cause, global; left out if the language does not separate causes. */
  cause?: RegExp;
  /** Returns path and name from the groups of a frame's form, in languages where frames do not contain them directly. */
  readFrame?(groups: Readonly<Record<string, string | undefined>>): { path: string; name: string };
  /** Name in a frame for code outside any definition. */
  moduleFrame: string;
  /** Message of an exception or a warning, global, with a group `message`. */
  error: RegExp;
  /** Heading of a description of the reporter's machine, and a line of one. */
  environment: { heading: RegExp; line: RegExp };
  /** Prompts and frames as the encoders were trained on them. A change requires new models. Null if none was trained. */
  trained: { prompt: RegExp; frame: RegExp } | null;
  /** Qualified name, global. Its parts are divided by `separator`, which is global too if it is a pattern. */
  qualifiedName: RegExp;
  separator: string | RegExp;
  /** Identifier that cannot be an English word, besides snake_case and camelCase. */
  specialName: RegExp;
  /** Words of its code that are not names; null if any word of code counts as a name, as rankers were trained. */
  words: CodeWords | null;
  /** End of the names of source files. */
  sourceFile: RegExp;
  /** Folders at a repository's root that are not part of a module's name. */
  sourceRoots: ReadonlySet<string>;
  /** Returns the name of a file's module, with slashes between its parts. */
  getModule(path: string): string;
  /** Returns the imports of a script, and the names in it. */
  readScript(code: string): IssueScript;
}

/** Words and patterns that tell names in a language's code from other words. */
export interface CodeWords {
  /** Keywords, literals and built-in types. They count as names only if marked as such. */
  keywords: ReadonlySet<string>;
  /** Info string after the fence of a Markdown code block, in lower case. */
  fence: RegExp;
  /** Text after a key, a parameter or an attribute, which does not use the definition of that name. Sticky. */
  label: RegExp;
  /** True if names have hyphens, which in other languages only words have. */
  hyphens?: boolean;
  /** Returns the full name of a definition if people leave out its end. */
  expandName?(name: string): string;
  /** Words of its tools, and parts of names that are not definitions, global. */
  others?: RegExp;
}

/** Imports and names found in code without parsing it, since code in issues is incomplete and mixed with output. */
export interface IssueScript {
  /** Bindings in order of precedence. */
  bindings: ScriptBinding[];
  /** Qualified names, and then methods of expressions, each in order of appearance. */
  uses: NameUse[];
}

export type ScriptBinding =
  /** Local name for a module or for one of its members. */
  | { kind: 'import'; local: string; path: string[] }
  /** All names of a module. */
  | { kind: 'open'; path: string[] }
  /** Variable, and the qualified name whose call gives its value. */
  | { kind: 'value'; local: string; path: string[] };

/** Name that is used in code. */
export interface NameUse {
  /** Offset in the code in UTF-16 units. */
  at: number;
  text: string;
  path: string[];
  isCalled: boolean;
  /** True for a method of an unnamed expression: `get('a').total()`. */
  isMethod: boolean;
}
