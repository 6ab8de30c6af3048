import { basename, extname } from 'node:path/posix';

/** What is code, or says how code runs, and is in no language that Locus reads; by what people call it. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  Ada: ['.adb', '.ads'],
  Assembly: ['.s', '.asm'],
  Clojure: ['.clj', '.cljs', '.cljc'],
  CoffeeScript: ['.coffee'],
  Crystal: ['.cr'],
  CUDA: ['.cu', '.cuh'],
  Cython: ['.pyx', '.pxd', '.pxi'],
  D: ['.d'],
  Dart: ['.dart'],
  Elixir: ['.ex', '.exs'],
  Elm: ['.elm'],
  Erlang: ['.erl', '.hrl'],
  'F#': ['.fs', '.fsi', '.fsx'],
  Fortran: ['.f', '.f90', '.f95', '.f03', '.f08'],
  Groovy: ['.groovy', '.gradle'],
  Haskell: ['.hs', '.lhs'],
  Julia: ['.jl'],
  Lua: ['.lua'],
  Nim: ['.nim'],
  'Objective-C': ['.m', '.mm'],
  OCaml: ['.ml', '.mli'],
  Perl: ['.pl', '.pm'],
  PowerShell: ['.ps1', '.psm1'],
  R: ['.r'],
  Scala: ['.scala', '.sc'],
  Shell: ['.sh', '.bash', '.zsh', '.fish'],
  Solidity: ['.sol'],
  SQL: ['.sql'],
  Svelte: ['.svelte'],
  Swift: ['.swift'],
  'Visual Basic': ['.vb', '.bas'],
  Vue: ['.vue'],
  Zig: ['.zig'],
  notebooks: ['.ipynb'],
  'style sheets': ['.css', '.scss', '.sass', '.less'],
  templates: [
    '.html',
    '.htm',
    '.jinja',
    '.jinja2',
    '.j2',
    '.erb',
    '.haml',
    '.twig',
    '.ejs',
    '.hbs',
  ],
  configuration: ['.json', '.yaml', '.yml', '.toml', '.ini', '.cfg', '.xml', '.properties', '.tf'],
};

const byExtension = new Map(
  Object.entries(UNREAD).flatMap(([title, extensions]) =>
    extensions.map((extension) => [extension, title] as const),
  ),
);

/** What people call the kind of source file that this one is by its name and that Locus does not read; null for others. */
export function unreadKindOf(path: string): string | null {
  return byExtension.get(extname(basename(path)).toLowerCase()) ?? null;
}
