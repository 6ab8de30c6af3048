import { basename, extname } from 'node:path/posix';

/** Extensions of code and templates in unsupported languages, by the language's title. */
const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  Ada: ['.adb', '.ads'],
  Assembly: ['.s', '.asm'],
  CoffeeScript: ['.coffee'],
  Crystal: ['.cr'],
  CUDA: ['.cu', '.cuh'],
  Cython: ['.pyx', '.pxd', '.pxi'],
  D: ['.d'],
  Elm: ['.elm'],
  'F# signatures': ['.fsi'],
  Fish: ['.fish'],
  Fortran: ['.f', '.f90', '.f95', '.f03', '.f08'],
  Groovy: ['.groovy', '.gradle'],
  Nim: ['.nim'],
  'OCaml interfaces': ['.mli'],
  'Visual Basic': ['.vb', '.bas'],
  templates: ['.haml', '.slim', '.pug', '.liquid'],
};

/** Titles of files without functions. */
const WITHOUT_FUNCTIONS: readonly string[] = ['templates'];

const byExtension = new Map(
  Object.entries(UNSUPPORTED).flatMap(([title, extensions]) =>
    extensions.map((extension) => [extension, title] as const),
  ),
);

/** Returns the title of a file's unsupported language, by its extension; null for other files. */
export function getUnsupportedLanguage(path: string): string | null {
  return byExtension.get(extname(basename(path)).toLowerCase()) ?? null;
}

/** Returns true if a file may contain functions in an unsupported language, by its extension. */
export function isUnsupportedCode(path: string): boolean {
  const language = getUnsupportedLanguage(path);
  return language !== null && isLanguageWithFunctions(language);
}

/** @param title title of an unsupported language */
export const isLanguageWithFunctions = (title: string): boolean =>
  !WITHOUT_FUNCTIONS.includes(title);
