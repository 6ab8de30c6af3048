/**
 * Languages that a user adds: a folder for each, with `language.json`, `tags.scm` and `grammar.wasm`. Others may be able to write
 * to the folder, so its files are read once, with limits and without following links.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseJson } from '../../../base/json.ts';
import { UntrustedFolder } from '../../../base/untrusted-folder.ts';
import type { Language } from '../language.ts';
import { createTaggedLanguage } from './language.ts';
import { readRow } from './read-row.ts';

const ROW_FILE = 'language.json';
const TAGS_FILE = 'tags.scm';
const GRAMMAR_FILE = 'grammar.wasm';
const KEYWORDS_FILE = 'keywords.txt';
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_GRAMMAR_BYTES = 32 * 1024 * 1024;
const MAX_LANGUAGES = 100;
/** Start of every WebAssembly file. */
const MAGIC = Buffer.from('\0asm', 'latin1');

/**
 * Reads the languages in a folder. A folder that cannot be used is left out, and told to `onProblem` in one sentence and a remedy.
 */
export function readUserLanguages(
  folder: string,
  onProblem: (text: string) => void,
): { language: Language; file: string }[] {
  return listFolders(folder).flatMap((name) => {
    const path = join(folder, name);
    try {
      return [{ language: readLanguage(path, name), file: join(path, ROW_FILE) }];
    } catch (error) {
      onProblem(
        `The language in ${path} is not used: ${(error as Error).message}. Correct the file, or remove the folder.`,
      );
      return [];
    }
  });
}

function listFolders(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return names.sort().slice(0, MAX_LANGUAGES);
  } catch {
    // Most users add no language, so the folder is missing.
    return [];
  }
}

function readLanguage(path: string, name: string): Language {
  const folder = new UntrustedFolder(path, 'bad-input');
  const read = (file: string, maxBytes: number): Buffer => {
    const bytes = folder.readSync(file, maxBytes);
    if (!bytes) throw new Error(`${file} is missing`);
    return bytes;
  };
  const explain = <T>(file: string, use: () => T): T => {
    try {
      return use();
    } catch (error) {
      throw new Error(`${file} is invalid: ${(error as Error).message.replace(/\.$/, '')}`);
    }
  };
  const json = read(ROW_FILE, MAX_TEXT_BYTES);
  const row = explain(ROW_FILE, () => readRow(parseJson(json, { maxDepth: 4 })));
  if (row.name !== name) throw new Error(`${ROW_FILE} has the name ${row.name}, unlike its folder`);
  const tags = read(TAGS_FILE, MAX_TEXT_BYTES).toString('utf8');
  const grammar = read(GRAMMAR_FILE, MAX_GRAMMAR_BYTES);
  if (!grammar.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Error(`${GRAMMAR_FILE} is not WebAssembly`);
  const keywords = folder.readSync(KEYWORDS_FILE, MAX_TEXT_BYTES)?.toString('utf8') ?? '';
  const digest = createHash('sha256');
  for (const part of [json, tags, grammar]) digest.update(part).update('\0');
  const language = createTaggedLanguage(row, {
    grammar: pathToFileURL(join(path, GRAMMAR_FILE)).href,
    folder: pathToFileURL(`${path}/`),
    version: digest.digest('hex'),
    content: { tags, grammar, keywords },
  });
  explain(TAGS_FILE, () => language.translateQuery?.(tags));
  return language;
}
