/** Names of files as names of what they export without one. */
import type { Language } from '../languages/language.ts';
import { TEMPLATE_NAME } from '../languages/markup.ts';
import type { ParsedChunk } from './types.ts';

/** Adds the name of the file as an alias to the definition that it exports without one, or to a component that is only a template. */
export function addFileAlias(
  language: Language,
  path: string,
  chunks: readonly ParsedChunk[],
): void {
  const { names, markup } = language;
  const alias = names.unnamed?.readName(path);
  if (!alias) return;
  const named = (name: string) => chunks.find(({ qualifiedName }) => qualifiedName === name);
  const chunk = named(names.unnamed?.name ?? '') ?? (markup && named(TEMPLATE_NAME));
  if (chunk) chunk.alias ??= alias;
}
