import { createRequire } from 'node:module';
import type { Language } from '../languages/language.ts';

const require = createRequire(import.meta.url);

/** The path of a language's grammar, compiled to WebAssembly. Throws the system's error where it is not installed. */
export function grammarFile({ grammar }: Pick<Language, 'grammar'>): string {
  return require.resolve(grammar);
}
