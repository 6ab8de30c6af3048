/**
 * Parses files with web-tree-sitter alone, on one thread: the least that any indexer in JavaScript can take. Reads them, makes
 * their trees, and looks at nothing. `node lab/speed/peers/parse.ts <folder> <file that lists paths>`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { findLanguage, getLanguages, resolveGrammarFile } from '../../../src/engine/lab.ts';
import { measureHere } from './task.ts';

const [root = '', list = ''] = process.argv.slice(2);
const paths = readFileSync(list, 'utf8').split('\n');
const grammars = new Map(
  Array.from(getLanguages(), (language) => [language.name, resolveGrammarFile(language)]),
);

await measureHere(async () => {
  await Parser.init();
  const parsers = new Map<string, Parser>();
  for (const path of paths) {
    const name = findLanguage(path)?.name ?? '';
    const grammar = grammars.get(name);
    if (grammar === undefined) continue;
    let parser = parsers.get(name);
    if (!parser) {
      parser = new Parser().setLanguage(await Language.load(grammar));
      parsers.set(name, parser);
    }
    parser.parse(readFileSync(join(root, path), 'utf8'))?.delete();
  }
});
