/**
 * What the engine must know of a language. All of it is an adapter: a folder here with an `index.ts` of this type and
 * its tree-sitter queries. Nothing outside of these folders knows a language by its name, its words or its layout.
 */
import type { Conversions } from './conversions.ts';
import type { ImportFact, ManifestEntry } from './facts.ts';
import type { IssueSyntax } from './issue-syntax.ts';
import type { Layout } from './layout/layout.ts';
import type { ModuleResolver } from './modules.ts';

export interface Language {
  /** In the store, in exports and on the wire: `python`. */
  name: string;
  /** As people write it: `Python`. */
  title: string;
  /** Its name in Monaco, and in Markdown after a fence. */
  monaco: string;
  /** The adapter's folder. Everything in it makes up the version of its chunker. */
  folder: URL;
  files: Files;
  /** Own package of the tree-sitter grammar, and its WebAssembly file: `tree-sitter-c/tree-sitter-c.wasm`. */
  grammar: string;
  /** Query files of the folder; comments in them explain their captures. */
  queries: readonly string[];
  /**
   * Query files of the folder that tell what names are, for the colours of code: of patterns that capture one name, the
   * first decides. Nothing of a chunk is made of them, and their names end with `tokens.scm`, which keeps them out of the
   * chunker's version.
   */
  tokens: readonly string[];
  /**
   * The text as the grammar can take it: what it knows nothing of, such as a preprocessor's macros, is white space, and
   * every other character is where it was. Left out where grammars take all of the language.
   */
  prepare?(text: string): string;
  /** A file with one function, for which the parser can be tried. */
  example: { path: string; text: string; name: string };
  nodes: Nodes;
  layout: Layout;
  text: TextForms;
  names: Names;
  /**
   * What an import binds.
   * @param captures texts of the match's captures: `module`, `from`, `member`, `alias`
   */
  importOf(captures: Readonly<Record<string, string | undefined>>): Omit<ImportFact, 'scope'>;
  /** What arguments say of their types; left out where these tell no functions apart. */
  arguments?: ArgumentForms;
  /** Reduces a type annotation to the one dotted name that says most about the value; null when nothing remains. */
  typeName(annotation: string): TypeName | null;
  graph: GraphRules;
  traceback: TracebackForm;
  /** How its code and its output look in issues. */
  issue: IssueSyntax;
}

interface Files {
  /** With the dot, lower case. */
  extensions: readonly string[];
  /** Base names of files of this language without such an extension. */
  names: readonly string[];
  /** Stems of files of tests. */
  tests: RegExp;
  /** Folders of tests beside those that are so in any language, in lower case, with a slash at both ends. */
  testFolders?: RegExp;
  /** Where copies of other projects are, beside where they are in any language: paths in lower case with a slash before. */
  vendored?: RegExp;
  /** What tools write, beside what they do in any language, as `vendored`. */
  generated?: RegExp;
  /** Whether its code is handed out without the white space that it can do without. */
  minified?: boolean;
  /** What marks a stem as a test's, to be left out to get at what is tested. */
  testMarks: RegExp;
  /** Base names, without extension, that a documentation's configuration has at the top of its folder. */
  documentation: readonly string[];
  /** Stem of the file that stands for its folder, or null where none does. */
  index: string | null;
}

/** Types of the grammar's nodes. */
interface Nodes {
  comment: readonly string[];
  /** Decorators that are parts of the node of what they decorate: its header begins after them. */
  decorators?: readonly string[];
  /** Plain names. */
  names: readonly string[];
  /** `a.b`: its object and the name, by type. */
  members: Readonly<Record<string, { object: Part; name: Part }>>;
  /** `f()`: what is called, by type. */
  calls: Readonly<Record<string, { callee: Part }>>;
  /** `a.f()` as one node: its object, which may be missing, and the method's name, by type. */
  invocations?: Readonly<Record<string, { object: Part; name: Part }>>;
  /** Nodes around a single expression that stand for it in a chain: `(a).b`. */
  wrappers: readonly string[];
  /** Values of built-in types, whose methods are nobody's chunks. */
  literals: readonly string[];
}

/** A part of a node: a field, or the place among its named children, negative from the end. */
export type Part = string | number;

/** How arguments tell their types. Nodes are meant by their types of the grammar. */
export interface ArgumentForms {
  /** The type of a value by its text; null where that does not say it. */
  values: Readonly<Record<string, (text: string) => string | null>>;
  /** Nodes that name the type of their value. */
  typed: Readonly<Record<string, Part>>;
  /** Elements of arrays: where the array is. */
  elements: Readonly<Record<string, Part>>;
  /** Where the two values are that a value is one of. */
  choices: Readonly<Record<string, readonly [Part, Part]>>;
  /** Where operators have what they work on; the operator is the field `operator`. */
  operations: Readonly<Record<string, readonly Part[]>>;
  /** The type of what an operator gives, by those it works on, of which empty ones are not known; null where that is not, either. */
  operation(operator: string, operands: readonly string[]): string | null;
  /** The type of what calls of a method give, whatever they are called on, by its name and the number of arguments. */
  result(name: string, args: number): string | null;
  /** A type without what is erased from it, `a.List<T>[]` is a.List[]; null for what says nothing. */
  erased(annotation: string): string | null;
  /** The type that a variable of types stands for which has no bound. */
  bound: string;
}

/** How definitions look to a reader without a syntax tree, and in the texts of chunks. */
interface TextForms {
  /**
   * Sticky: lines that begin a definition, whose name is the group `function`, `class` or `namespace`; of a method that stands outside
   * of its type, `owner` is the type's.
   */
  headers: readonly RegExp[];
  /**
   * As `headers`, more lines that begin one where the code around is sound, as what is committed mostly is: in broken text they
   * may as well be something else. A namespace may have no name, where what is in it is named as if it was not there.
   */
  soundHeaders?: readonly RegExp[];
  /** Sticky: a line above a header that belongs to the definition, such as a decorator; null where there are none. */
  decorator: RegExp | null;
  /** The first line of a definition, without the white space around it, as it stands for all of it. */
  declaration(header: string): string;
  /** Whether lines of code say the same but for their layout and the kind of their quotes. */
  saysTheSame(before: readonly string[], after: readonly string[]): boolean;
}

/** What names say of definitions. */
interface Names {
  /** The parts of a name as the source has it: `A::B<T>::f`. Left out where a name of the grammar is a single one. */
  parts?(written: string): string[];
  /** Methods that a class's text shows in full. */
  constructors: readonly string[] | 'named as their class';
  /** Methods that run when a class is called. */
  runsOnConstruction(name: string, className: string): boolean;
  /** Whether a letter alone and an acronym's plural are searched for with their neighbours: `IPv6`, `OAuth`, `URLs`. */
  initials?: true;
  /** Not for callers from outside. */
  isPrivate(name: string): boolean;
  /** Called by the language itself, constructors aside. */
  isSpecial(name: string): boolean;
}

export interface TypeName {
  name: string;
  /** The value is the class itself, not one of its instances. */
  isClass: boolean;
}

/** What the call resolver must know of a language. */
export interface GraphRules {
  /** Names for the object and for the class a method is called on. */
  instanceNames: readonly string[];
  classNames: readonly string[];
  /** What stands for the object as one of its base class, as in a chain: `super()`. */
  superNames: readonly string[];
  /** Attribute of an instance that is its class. */
  classAttribute: string;
  /** Method that runs when an instance is called. */
  callMethod: string;
  /** Classes that every class derives from; they add nothing to resolve. */
  rootClasses: readonly string[];
  /** Decorators, by last name, that turn a method into an attribute. */
  propertyDecorators: readonly string[];
  /** Annotations, by last name, that mean the receiver's class. */
  selfTypes: readonly string[];
  /** Whether types have names apart from those of functions: one name may stand for both. */
  typesApart?: boolean;
  /** Whether functions have names apart from those of variables that are no functions. */
  functionsApart?: boolean;
  /** Whether methods have names apart from those of fields: what is not called is a field. */
  methodsApart?: boolean;
  /** Whether a star import leaves a name out. */
  isHidden(name: string): boolean;
  /** Method names of the language's own types and libraries: too common to be guessed at. */
  commonNames: ReadonlySet<string>;
  /** What several files share; left out for a language whose files share nothing that they do not import. */
  namespace?: {
    /** The namespace of a file, by its path and what it says itself; null for none. */
    of(path: string, declared: string | undefined): string | null;
    /** Whether its files see each other's names. */
    sharesNames: boolean;
    /** Whether classes of one name in it are parts of one class. */
    partialTypes: boolean;
    /** Whether something else than a file may open a namespace for it, so that its names may be those of any. */
    openedElsewhere?: boolean;
  };
  /** Whether what the body of a class binds is in scope there by its bare name; left out, it is. */
  bodyIsScope?: boolean;
  /** Methods that give the object they are called on, or what it holds, unless its class has one of that name. */
  passThrough?: ReadonlySet<string>;
  /** Whether a function that is named alone and unknown here may be one of any file, as a linker finds it. */
  linksByName?: boolean;
  /** Whether a method names members of the classes around it without a receiver. */
  implicitReceiver?: boolean;
  /** The files that say what modules are called; left out where there are none, or they say nothing that paths do not. */
  manifests?: {
    /** Whether a file of this base name is one. */
    has(name: string): boolean;
    /**
     * What one says. Parsers are loaded here, where a manifest is read: who only looks at what is indexed needs none.
     * @throws Error that says what is wrong with the text
     */
    read(path: string, text: string): Promise<ManifestEntry[]>;
  };
  /** How types of arguments tell apart functions of one name; left out where they do not. */
  conversions?: Conversions;
  /** Whether functions may be declared for types that they are no part of, and are in scope where they are imported. */
  extensions?: boolean;
  /** What a block is called with where it names no parameter; left out where blocks must name theirs. */
  blockSubject?: string;
  /**
   * The modules of a repository, still without files.
   * @param isTest whether a file is test code
   * @param hasNamespace whether there is a namespace
   */
  modules(
    isTest: (path: string) => boolean,
    hasNamespace: (name: string) => boolean,
  ): ModuleResolver;
}

/** How tracebacks are written. */
interface TracebackForm {
  /** A line that raises an error, which is group 1. */
  raise: RegExp;
  /** The first letters of a line that can be a statement. */
  statement: RegExp;
  /** A traceback, outermost frame first; `error` is null where it is not known. */
  write(frames: readonly TracebackFrame[], error: string | null): string;
}

export interface TracebackFrame {
  path: string;
  /** 1-based. */
  line: number;
  /** Simple name of the function. */
  name: string;
  /** The line, trimmed. */
  text: string;
}
