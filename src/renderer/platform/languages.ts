import type { LanguageInfo } from '../../shared/language.ts';
import { useApp } from './state.ts';

/** What the engine said of the language of a chunk or a file; null before it has. */
export function languageOf({ language }: { language: string }): LanguageInfo | null {
  const { welcome } = useApp.getState();
  return welcome?.languages.find(({ name }) => name === language) ?? null;
}
