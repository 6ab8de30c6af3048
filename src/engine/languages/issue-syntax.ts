/**
 * How a language's code and output look in the text of an issue: one for each language, in its folder. What belongs to
 * no language (Markdown, Trac, templates, logs, a shell's prompt) is known to `src/engine/issue` itself. Issues come
 * from anywhere, so no pattern may take more than linear time.
 */
export interface IssueSyntax {
  /** A line of code without any marks around it. */
  codeLine: RegExp;
  /** A line of an interactive session: what is typed, how that goes on, what is answered. */
  prompt: RegExp;
  /** Of these, the lines that begin with a prompt at once and have something typed. */
  input: RegExp;
  /** The line that a traceback begins with, and those that do not end it. */
  traceback: { begins: RegExp; continues: RegExp };
  /** The forms of frames, global, with groups `path`, `line` and, where the form tells it, `name`. */
  frames: readonly RegExp[];
  /** Which of them, as they are printed, is the innermost. */
  innermost: 'first' | 'last';
  /** What stands before the frames of the error that caused those before, global; left out where causes are not told apart. */
  cause?: RegExp;
  /** Where the path or the name is not what a frame says: these, by the groups of its form. */
  frameOf?(groups: Readonly<Record<string, string | undefined>>): { path: string; name: string };
  /** The name in a frame for code outside any definition. */
  moduleFrame: string;
  /** The message of an exception or a warning, global, with a group `message`. */
  error: RegExp;
  /** A heading, and a line, under or in which the reporter's machine is described. */
  environment: { heading: RegExp; line: RegExp };
  /** Prompts and frames as encoders were trained to tell them apart: a change asks for new models. Null before any was. */
  trained: { prompt: RegExp; frame: RegExp } | null;
  /** An identifier with what it belongs to in front of it, global, and what stands between both, global as well. */
  qualifiedName: RegExp;
  separator: string | RegExp;
  /** An identifier that is no word of English, beside snake_case and camelCase. */
  specialName: RegExp;
  /** What of its code is no name; null where any word of code may be one, as rankers were trained to take it. */
  words: CodeWords | null;
  /** What the names of source files end with. */
  sourceFile: RegExp;
  /** Folders at a repository's root that are no part of a module's name. */
  sourceRoots: ReadonlySet<string>;
  /** The name of a file's module, with slashes between its parts, which stand between slashes and dots in the path. */
  moduleOf(path: string): string;
  /** What a script imports, and the names that it has. */
  readScript(code: string): Script;
}

/** What tells the names of a language's code from its other words. */
export interface CodeWords {
  /** Keywords, literals and built-in types, which are names only where they are written as one. */
  keywords: ReadonlySet<string>;
  /** What stands behind the fence of a block of such code, in lower case. */
  fence: RegExp;
  /** Sticky: what follows a key, a parameter or an attribute, which are no uses of what is called so. */
  label: RegExp;
  /** A definition's whole name, where people leave out its end. */
  longForm?(name: string): string;
  /** Words of its tools and parts of names that are no definitions, global. */
  others?: RegExp;
}

/** What is read of code without parsing it: that of issues is cut and mixed with output. */
export interface Script {
  /** In the order in which they count. */
  bindings: Binding[];
  /** In order of appearance, first those that stand alone, then methods of an expression. */
  uses: Use[];
}

export type Binding =
  /** A local name for a module or for what is in it. */
  | { kind: 'import'; local: string; path: string[] }
  /** All names of a module. */
  | { kind: 'open'; path: string[] }
  /** A variable, and the qualified name that is called for its value. */
  | { kind: 'value'; local: string; path: string[] };

/** A name that code has. */
export interface Use {
  /** Where it begins in the code, in UTF-16 units. */
  at: number;
  text: string;
  path: string[];
  isCalled: boolean;
  /** A method of an expression that has no name: `get('a').total()`. */
  isMethod: boolean;
}
