/**
 * Interface between the engine and a language. An adapter is a folder here with an `index.ts` of this type and its
 * tree-sitter queries. No code outside these folders depends on a language's name, words or layout.
 */
import type { TypeConversions } from './conversions.ts';
import type { ImportFact, ManifestEntry } from './facts.ts';
import type { IssueSyntax } from './issue-syntax.ts';
import type { CodeLayout } from './layout/layout.ts';
import type { MarkupForm } from './markup.ts';
import type { ModuleResolver } from './modules.ts';
import type { RegistrationForms } from './registration.ts';

export interface Language {
  /** Name in the store, in exports and in messages: `python`. */
  name: string;
  /** Name as people write it: `Python`. */
  title: string;
  /** Name in Monaco, and after a fence in Markdown. */
  monaco: string;
  /** Folder of the adapter. The version of its chunker is a digest of its files. */
  folder: URL;
  /** Content of the files of a language that a user added; left out if they are read from its folder. */
  content?: { tags: string; grammar: Uint8Array; keywords: string };
  files: Files;
  /** Package of the tree-sitter grammar, and its WebAssembly file: `tree-sitter-c/tree-sitter-c.wasm`; or a `file:` URL. */
  grammar: string;
  /** Description of what decides its chunks besides the files of the folder; left out if nothing does. */
  version?: string;
  /** Query files in the folder. Comments in them explain their captures. */
  queries: readonly string[];
  /** Translates a query with other captures. Left out if the queries have those of Locus. */
  translateQuery?(query: string): string;
  /**
   * Query files in the folder that classify names for syntax coloring. If several patterns capture a name, the first decides.
   * They do not affect chunks. Their names end with `tokens.scm`, which leaves them out of the chunker's version.
   */
  tokens: readonly string[];
  /**
   * Returns a text that the grammar can parse. Replaces syntax that it does not support, such as preprocessor macros, by white
   * space; every other character keeps its position. Left out if the grammar supports the whole language.
   */
  prepare?(text: string): string;
  /** Form of files that hold code among other text, used instead of `prepare`. Left out if files are only code. */
  markup?: MarkupForm;
  /** Example file with one function, to check the parser. */
  example: { path: string; text: string; name: string };
  nodes: Nodes;
  layout: CodeLayout;
  text: TextForms;
  names: Names;
  /**
   * Returns the fact for an import.
   * @param captures texts of the match's captures: `module`, `from`, `member`, `alias`
   */
  readImport(captures: Readonly<Record<string, string | undefined>>): Omit<ImportFact, 'scope'>;
  /**
   * Returns true for a definition of tests in a file that may be source. What is in it is test code, too. Left out if only paths tell.
   * @param definition `before` is the text above and left of the header: decorators, attributes and comments
   */
  isTest?(definition: { before: string; header: string; name: string }): boolean;
  /** Rules to infer argument types; left out if these do not tell functions of one name apart. */
  arguments?: ArgumentForms;
  /** Forms in which its frameworks register functions; left out if none are known. */
  registrations?: RegistrationForms;
  /** Reduces a type annotation to the dotted name of the class whose methods the value most likely has; null if none exists. */
  readTypeName(annotation: string): TypeReference | null;
  graph: GraphRules;
  traceback: TracebackForm;
  issue: IssueSyntax;
}

interface Files {
  /** Extensions with the dot, in lower case. */
  extensions: readonly string[];
  /** Base names of files of this language without these extensions. */
  names: readonly string[];
  /** Stems of test files. */
  tests: RegExp;
  /** Stems of examples, such as benchmarks. Left out if only folders tell. */
  examples?: RegExp;
  /** Test folders, in addition to those of any language, in lower case and with a slash at both ends. */
  testFolders?: RegExp;
  /** Paths of copies of other projects, in addition to those of any language, in lower case and with a slash in front. */
  vendored?: RegExp;
  /** Paths of generated files, in addition to those of any language, as for `vendored`. */
  generated?: RegExp;
  /** True if its code is often distributed in minified form. */
  minified?: boolean;
  /** Parts of a stem that mark a test, which are removed to get the name of the tested file. */
  testMarks: RegExp;
  /** Base names, without extension, of a documentation's configuration at the top of its folder. */
  documentation: readonly string[];
  /** Stem of a folder's index file, or null if the language has none. */
  index: string | null;
}

/** Node types of the grammar. */
interface Nodes {
  comment: readonly string[];
  /** Decorators that are children of the definition's node. The header begins after them. */
  decorators?: readonly string[];
  /**
   * Field of a definition's body, for queries that capture neither bodies nor members: a header ends where the body begins, or
   * with the row of the name, and all rows of a class are members.
   */
  body?: string;
  /** True if a function may be defined by several definitions of its name, one after the other. They are one chunk. */
  clauses?: boolean;
  /** True if every definition reaches to the next, as the stages of a Dockerfile do. */
  reachesNext?: boolean;
  /** Identifiers. */
  names: readonly string[];
  /** Member access, `a.b`: its object and name, by node type. */
  members: Readonly<Record<string, { object: NodePart; name: NodePart }>>;
  /** Calls, `f()`: the callee, by node type. */
  calls: Readonly<Record<string, { callee: NodePart }>>;
  /** Method calls as one node, `a.f()`: the object, which may be missing, and the method's name, by node type. */
  invocations?: Readonly<Record<string, { object: NodePart; name: NodePart }>>;
  /** Nodes around a single expression that are transparent in a chain: `(a).b`. */
  wrappers: readonly string[];
  /** Values of built-in types, whose methods are not chunks. */
  literals: readonly string[];
}

/** Part of a node: a field, or an index among its named children, negative from the end. */
export type NodePart = string | number;

/** Rules to infer the types of arguments. Keys are node types of the grammar. */
export interface ArgumentForms {
  /** Literals: returns the type from the text; null if it does not tell. */
  literalTypes: Readonly<Record<string, (text: string) => string | null>>;
  /** Nodes that name the type of their value, such as casts. */
  typed: Readonly<Record<string, NodePart>>;
  /** Element access: the array. */
  elements: Readonly<Record<string, NodePart>>;
  /** Conditional expressions: the two alternatives. */
  choices: Readonly<Record<string, readonly [NodePart, NodePart]>>;
  /** Operators: the operands. The operator is the field `operator`. */
  operations: Readonly<Record<string, readonly NodePart[]>>;
  /** Returns an operator's result type from the operand types, which are empty if unknown; null if the result is unknown. */
  inferOperation(operator: string, operands: readonly string[]): string | null;
  /** Returns the result type of a method of every object, by its name and number of arguments; null for other methods. */
  inferResult(name: string, args: number): string | null;
  /** Erases a type: `a.List<T>[]` gives a.List[]. Returns null if nothing remains. */
  eraseType(annotation: string): string | null;
  /** Type of a type parameter without a bound. */
  defaultBound: string;
}

/** Forms of definitions without a syntax tree, and in the texts of chunks. */
interface TextForms {
  /**
   * First lines of definitions, sticky. The group `function`, `class` or `namespace` is the name. For a method that is defined
   * outside its type, the group `owner` is the type.
   */
  headers: readonly RegExp[];
  /**
   * More first lines, which count only in code without syntax errors, as committed code mostly is. In broken code they are
   * ambiguous. A namespace may have an empty name, which adds nothing to the names in it.
   */
  soundHeaders?: readonly RegExp[];
  /** Line above a header that belongs to the definition, such as a decorator, sticky; null if there are none. */
  decorator: RegExp | null;
  /** Returns the first line of a definition, trimmed, in the form that represents it in its class's text. */
  outlineHeader(header: string): string;
  /** Returns true if lines of code differ only in layout and quotes. */
  isFormattingOnly(before: readonly string[], after: readonly string[]): boolean;
}

/** Definitions that the code gives no name, which people call as their file. */
export interface UnnamedDefinitions {
  /** Name of such a definition in addresses: `default`. */
  name: string;
  /** Returns the name that the path gives it; empty if it tells none. */
  readName(path: string): string;
}

/** Naming conventions of definitions. */
interface Names {
  /** Splits a written name, such as `A::B<T>::f`, into its parts. Left out if names in the grammar have one part. */
  splitName?(written: string): string[];
  /** Left out if every definition has a name. */
  unnamed?: UnnamedDefinitions;
  /** Names of constructors, which a class's text shows in full. */
  constructors: readonly string[] | 'named as their class';
  /** Returns true for methods that run when a class is called. */
  runsOnConstruction(name: string, className: string): boolean;
  /** True if a single letter or an acronym's plural is one term with its neighbors: `IPv6`, `OAuth`, `URLs`. */
  initials?: true;
  /** Returns true for names that are not for callers from outside. */
  isPrivate(name: string): boolean;
  /** Returns true for methods that the language itself calls, except for constructors. */
  isSpecial(name: string): boolean;
}

export interface TypeReference {
  name: string;
  /** True if the value is the class itself, not one of its instances. */
  isClass: boolean;
}

/** Rules of a language for the call graph. */
export interface GraphRules {
  /** Names for the object and the class on which a method is called. */
  instanceNames: readonly string[];
  classNames: readonly string[];
  /** Names for the object as an instance of its base class, as in a chain: `super()`. */
  superNames: readonly string[];
  /** Attribute of an instance that returns its class. */
  classAttribute: string;
  /** Method that runs if an instance is called. */
  callMethod: string;
  /** Base classes without methods worth resolving, such as the class that every class derives from. */
  rootClasses: readonly string[];
  /** Last names of decorators that turn a method into an attribute. */
  propertyDecorators: readonly string[];
  /** Last names of annotations that mean the receiver's class. */
  selfTypes: readonly string[];
  /** True if a type and a function may have the same name. */
  typesAreSeparate?: boolean;
  /** True if a function and a variable may have the same name. */
  functionsAreSeparate?: boolean;
  /** True if a method and a field may have the same name. A name that is not called is then a field. */
  methodsAreSeparate?: boolean;
  /** Returns true for names that a star import leaves out. */
  isHidden(name: string): boolean;
  /** Method names of the language's own types and libraries, which are too common to guess their targets. */
  commonNames: ReadonlySet<string>;
  /** Namespaces that several files share; left out if files share nothing without an import. */
  namespace?: {
    /** Returns the namespace of a file by its path and its own declaration; null for none. */
    of(path: string, declared: string | undefined): string | null;
    /** True if files of a namespace see each other's names. */
    sharesNames: boolean;
    /** True if classes of one name in a namespace are parts of one class. */
    partialTypes: boolean;
    /** True if a namespace may be opened outside the file, so that a name may come from any namespace. */
    openedElsewhere?: boolean;
  };
  /** False if members of a class are not in scope in its body by their bare names; default true. */
  isBodyScope?: boolean;
  /** Methods that return their receiver or its content, unless its class defines a method of that name. */
  passThrough?: ReadonlySet<string>;
  /** True if an unknown bare function name may be a function of any file, as a linker finds it. */
  linksByName?: boolean;
  /** True if nothing but the name of a callee is known, so that every call is a guess. */
  knowsOnlyNames?: boolean;
  /**
   * Returns the rules of the language whose functions a template calls, by its path; null if it is unknown. Left out for languages
   * other than those of templates.
   */
  getHost?(path: string): GraphRules | null;
  /** True if methods use members of the classes around them without a receiver. */
  implicitReceiver?: boolean;
  /** Manifests that tell the names of modules; left out if there are none, or paths tell the names. */
  manifests?: {
    /** Returns true if a file of this base name is a manifest. */
    has(name: string): boolean;
    /**
     * Reads the entries of a manifest. Loads the parser of its format on first use, since searches in an index need none.
     * @throws Error with the problem of the text
     */
    read(path: string, text: string): Promise<ManifestEntry[]>;
  };
  /** Conversions between built-in types; left out if argument types do not tell functions of one name apart. */
  conversions?: TypeConversions;
  /** True if the language has extension functions, which are in scope if they are imported. */
  extensions?: boolean;
  /** Name of a block's argument if it names no parameter; left out if blocks must name theirs. */
  blockSubject?: string;
  /**
   * Creates the module resolver of a repository, without files.
   * @param isTest returns true if a file is test code
   * @param hasNamespace returns true if a namespace exists
   */
  createResolver(
    isTest: (path: string) => boolean,
    hasNamespace: (name: string) => boolean,
  ): ModuleResolver;
}

/** Form of tracebacks. */
interface TracebackForm {
  /** Line that raises an error, whose name is group 1. */
  raise: RegExp;
  /** Start of a line that can be a statement. */
  statement: RegExp;
  /** Writes a traceback from frames, outermost first. `error` is null if it is unknown. */
  write(frames: readonly TracebackFrame[], error: string | null): string;
}

export interface TracebackFrame {
  path: string;
  /** Line number, 1-based. */
  line: number;
  /** Simple name of the function. */
  name: string;
  /** Trimmed text of the line. */
  text: string;
}
