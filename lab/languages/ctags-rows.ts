/** Languages whose definitions are compared, and what is a definition in the words of Universal Ctags, or by the look of a line. */

export interface ComparedLanguage {
  /** Names of the languages in Locus. */
  languages: readonly string[];
  /** Names of the languages in Ctags, with additional file extensions or, in parentheses, names. */
  ctags: Readonly<Record<string, readonly string[]>>;
  /** Kinds of Ctags that are chunks in Locus, by language. */
  kinds: Readonly<Record<string, readonly string[]>>;
  /** For a language that Ctags does not know: a line that defines what its group 1 names. */
  line?: RegExp;
  /** Text in which Ctags sees definitions that are none, such as documentation. */
  outside?: RegExp;
  /** Returns the name of a tag in Locus, or null if it is not a definition. */
  nameOf?(tag: Tag): string | null;
}

export interface Tag {
  name: string;
  path: string;
  line: number;
  kind: string;
  language: string;
  /** Line of the tag, as a vi pattern. */
  pattern?: string;
}

const tags = (
  language: string,
  ctags: string,
  kinds: string,
  {
    also = [],
    ...others
  }: { also?: readonly string[] } & Pick<ComparedLanguage, 'nameOf' | 'outside'> = {},
): ComparedLanguage => ({
  languages: [language],
  ctags: { [ctags]: also },
  kinds: { [ctags]: kinds.split(' ') },
  ...others,
});

const lines = (language: string, line: RegExp): ComparedLanguage => ({
  languages: [language],
  ctags: {},
  kinds: {},
  line,
});

/** Returns the last part of a qualified name. */
const nameLast = ({ name }: Tag) => name.replace(/^.*(?:\.|:)/, '');

/**
 * Returns the last part of a function's name in Lua; null for what only has the word in its row (`require "functional"`), results of
 * functions (`local ok, err = pcall(function() … end)`), and computed keys.
 */
function nameLua(tag: Tag): string | null {
  const isFunction =
    /\bfunction\b(?!["'])/.test(tag.pattern ?? '') &&
    !/= ?[\w.:]*\(function/.test(tag.pattern ?? '');
  return isFunction && !/\[[^'"]/.test(tag.name) ? nameLast(tag).replace(/^\['|'\]$/g, '') : null;
}

/** Languages by their name on the command line. */
export const COMPARED_LANGUAGES: Readonly<Record<string, ComparedLanguage>> = {
  typescript: {
    languages: ['typescript', 'tsx'],
    ctags: { TypeScript: ['.tsx', '.mts', '.cts'] },
    kinds: {
      TypeScript: ['function', 'generator', 'method', 'class', 'interface', 'enum', 'alias'],
    },
    nameOf: nameJavaScript,
  },
  javascript: {
    languages: ['javascript'],
    ctags: { JavaScript: ['.cjs', '.mjs', '.jsx'] },
    kinds: { JavaScript: ['function', 'generator', 'method', 'class', 'getter', 'setter'] },
    nameOf: nameJavaScript,
  },
  kotlin: {
    languages: ['kotlin'],
    ctags: { Kotlin: ['.kts'] },
    kinds: { Kotlin: ['class', 'interface', 'object', 'method'] },
    // Members of an unnamed companion object belong to its class.
    nameOf: ({ name }) => (/^(?:<lambda>|<anonymous>|Companion|_)$/.test(name) ? null : name),
  },
  csharp: {
    languages: ['csharp'],
    ctags: { 'C#': [] },
    kinds: { 'C#': ['class', 'interface', 'struct', 'enum', 'method'] },
    nameOf: ({ name }) => (name.includes('.') ? null : name),
  },
  cpp: {
    languages: ['cpp'],
    ctags: { 'C++': [], C: [] },
    kinds: {
      'C++': ['class', 'struct', 'union', 'enum', 'function'],
      C: ['struct', 'union', 'enum', 'function'],
    },
    nameOf: ({ name }) =>
      name.startsWith('__anon') ? null : name.replace(/^operator /, 'operator'),
  },

  // Languages that are read by their tags.
  clojure: tags('clojure', 'Clojure', 'function'),
  cmake: tags('cmake', 'CMake', 'function macro target'),
  elixir: tags('elixir', 'Elixir', 'function macro module protocol implementation delegate guard', {
    outside: /@\w*doc\s+(?:~\w)?"""[\s\S]*?"""/g,
  }),
  erlang: tags('erlang', 'Erlang', 'function macro record type'),
  // Its functions are no reference: they include fields and keywords.
  'haskell-types': tags('haskell', 'Haskell', 'type', {
    nameOf: ({ name, pattern = '' }) =>
      /^\/\^(?:type|data|newtype) (?:family|instance) (\w+)/.exec(pattern)?.[1] ??
      /^\/\^type \w+ ([:!*+]+)/.exec(pattern)?.[1] ??
      name,
  }),
  julia: tags('julia', 'Julia', 'function macro struct type'),
  lua: tags('lua', 'Lua', 'function', { also: ['.rockspec'], nameOf: nameLua }),
  // Its macros are variables. It takes variables of targets for targets.
  make: tags('make', 'Make', 'target', {
    nameOf: ({ name, pattern = '' }) =>
      /[%\s]|\$\(\w+ /.test(name) || /:[^:=]*\b\w+\s*[+:?]?=/.test(pattern) ? null : name,
  }),
  'objective-c': tags(
    'objective-c',
    'ObjectiveC',
    'method class implementation function interface protocol',
    {
      // It takes calls of macros for functions.
      nameOf: ({ name, kind }) =>
        kind === 'function' && /^[A-Z]\w*(?:Begin|Implementation|End)$/.test(name)
          ? null
          : name.replace(/:.*$/, ''),
    },
  ),
  // It has a module for each file, and functions for `let () =` and `let _ =`.
  ocaml: tags('ocaml', 'OCaml', 'function class method type module val exception', {
    nameOf: ({ name, kind, line }) =>
      name === '()' || name === '_' || (kind === 'module' && line === 1) ? null : name,
  }),
  perl: tags('perl', 'Perl', 'subroutine', { also: ['.t', '.psgi'] }),
  powershell: tags('powershell', 'PowerShell', 'function class filter'),
  protobuf: tags('protobuf', 'Protobuf', 'message enum rpc service'),
  r: tags('r', 'R', 'function', {
    nameOf: ({ name }) => (name.startsWith('anonFunc') ? null : name.replace(/^`|`$/g, '')),
  }),
  // It takes arrays for functions.
  shell: tags('shell', 'Sh', 'function', {
    also: ['.bats'],
    nameOf: ({ name }) => (/^[\w:.-]+$/.test(name) ? name : null),
  }),
  sql: tags('sql', 'SQL', 'function procedure table view trigger', {
    also: ['.psql', '.pgsql'],
    nameOf: nameLast,
  }),

  // Languages that Ctags does not know, by the look of a line.
  dart: lines(
    'dart',
    /^(?:(?:abstract|final|sealed|base|interface|mixin) )*(?:class|mixin|enum|extension type|extension) (?!on\b)([\w$]+)/,
  ),
  fsharp: lines(
    'fsharp',
    /^[ \t]*(?:static )?(?:member|override) (?:(?:inline|private|internal) )*(?:\w+\.)?(?!val\b|private\b|internal\b|inline\b|_\b)(\w+)|^let (?:(?:rec|inline|private|internal) )*(?!_\b|private\b|internal\b|inline\b|mutable\b|rec\b)(\w+) [\w(]/,
  ),
  graphql: lines('graphql', /^(?:type|interface|enum|input|union|scalar) (\w+)/),
  haskell: lines('haskell', /^([a-z_][\w']*) ::/),
  hcl: lines('hcl', /^(?:(?:resource|data) "\w+"|variable|module|output) "([\w-]+)"/),
  nix: lines('nix', /^[ \t]*([\w-]+) = \w+: *$/),
  scala: lines(
    'scala',
    /^[ \t]*(?:(?:override|private|protected|final|implicit|inline|sealed|abstract|case|lazy)(?:\[\w+\])?[ \t]+)*(?:def|class|object|trait)[ \t]+(\w+)/,
  ),
  solidity: lines(
    'solidity',
    /^[ \t]*(?:abstract )?(?:contract|interface|library|function|modifier|struct|enum) (\w+)/,
  ),
  swift: lines(
    'swift',
    /^[ \t]*(?:(?:public|private|open|internal|fileprivate|static|final|override|class|mutating|@\w+(?:\([^)]*\))?)[ \t]+)*(?:func|class|struct|enum|protocol|extension|actor)[ \t]+(?!func\b|var\b)(?:\w+\.)*(\w+)/,
  ),
  zig: lines('zig', /^[ \t]*(?:pub )?(?:inline )?(?:export )?fn (\w+)/),
};

/**
 * Returns the name of a JavaScript tag in Locus. Ctags invents names for anonymous functions, treats every object as a class,
 * and `import { type A }` and `a satisfies A` as aliases.
 */
function nameJavaScript({ name, kind, pattern = '' }: Tag): string | null {
  if (/^(?:anonymous|AnonymousFunction|__anon)/.test(name)) return null;
  if (kind === 'alias' && !/\btype\s+[\w$]+\s*(?:[=<]|\$\/$)/.test(pattern)) return null;
  if (kind === 'class' && !/\bclass\b|\bfunction\b/.test(pattern)) return null;
  return name.replace(/^["']|["']$/g, '');
}
