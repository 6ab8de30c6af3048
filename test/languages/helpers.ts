import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { getIssueSyntaxes, getLanguage } from '../../src/engine/languages/index.ts';
import { type ChunkedSource, chunkSource } from '../../src/engine/parse/chunk.ts';
import { loadGrammar } from '../../src/engine/parse/grammar.ts';
import { buildIssueReport, resolveIssue } from '../../src/engine/search/gather/issue.ts';
import type { SearchIndex } from '../../src/engine/snapshot/types.ts';
import { assertSound } from '../parse/helpers.ts';
import { assertForBroken } from '../support/broken.ts';

/** Returns the chunker of a language, by the language's name. */
export async function parserFor(name: string): Promise<(text: string) => ChunkedSource> {
  const grammar = await loadGrammar(getLanguage(name));
  return (text) => chunkSource(grammar, text);
}

/** Reads a file next to the tests. */
export function fixture(...path: string[]): string {
  return readFileSync(join(import.meta.dirname, ...path), 'utf8');
}

/** Fails unless every mutation of a source gives a valid parsed file. */
export function assertMutationsSound(
  parse: (text: string) => ChunkedSource,
  text: string,
  docs: RegExp,
): void {
  assertForBroken(text, ['{', '"'], 500, (broken) => assertSound(parse(broken), docs));
}

/** Returns the frames of an issue as `name line address`. */
export function framesOf(text: string, index: SearchIndex): string[] {
  const issue = resolveIssue(readIssue(text, getIssueSyntaxes(index.getLanguages())), index);
  return buildIssueReport(issue, index).frames.map(({ name, line, address }) =>
    [name, line, address].join(' '),
  );
}

/** Returns the names in an issue with their definitions, as `name: qualified names`. */
export function namesOf(text: string, index: SearchIndex): string[] {
  const { names } = resolveIssue(readIssue(text, getIssueSyntaxes(index.getLanguages())), index);
  return names.map(({ name, slots }) => {
    const defined = slots.map((slot) => index.getChunkOrNull(slot)?.qualifiedName);
    assert.ok(defined.length > 0);
    return `${name}: ${defined.join(' ')}`;
  });
}
