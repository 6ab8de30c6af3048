import assert from 'node:assert/strict';
import { getLanguage } from '../../src/engine/languages/index.ts';
import { type ChunkedSource, chunkSource } from '../../src/engine/parse/chunk.ts';
import { loadGrammar } from '../../src/engine/parse/grammar.ts';
import type { ParsedChunk } from '../../src/engine/parse/types.ts';

const grammar = await loadGrammar(getLanguage('python'));

export function parse(source: string): ChunkedSource {
  return chunkSource(grammar, source);
}

/** Removes the indentation of the first line, and the line breaks around the text. */
export function dedent(strings: TemplateStringsArray, ...values: string[]): string {
  const lines = String.raw(strings, ...values)
    .replace(/^\n/, '')
    .trimEnd()
    .split('\n');
  const indent = lines[0]!.search(/\S/);
  return `${lines.map((line) => line.slice(indent)).join('\n')}\n`;
}

/** Returns every chunk except the module's as `kind name start-end`; the n-th of a name is marked `#n`. */
export function outline({ chunks }: ChunkedSource): string[] {
  return chunks.slice(1).map(({ kind, qualifiedName, ordinal, startLine, endLine }) => {
    const mark = ordinal > 0 ? `#${ordinal + 1}` : '';
    return `${kind} ${qualifiedName}${mark} ${startLine}-${endLine}`;
  });
}

export function chunkOf(source: ChunkedSource, qualifiedName: string, ordinal = 0): ParsedChunk {
  const found = source.chunks.find(
    (chunk) => chunk.qualifiedName === qualifiedName && chunk.ordinal === ordinal,
  );
  assert.ok(found, `no chunk ${qualifiedName}`);
  return found;
}

/** Returns the references of a scope as `kind chain`, in order. */
export function references(source: ChunkedSource, scope = '<module>'): string[] {
  return source.facts.references
    .filter((fact) => source.chunks[fact.scope]!.qualifiedName === scope)
    .map((fact) => `${fact.kind} ${fact.chain.join('.')}`);
}

/** Returns the bindings of a scope as `target how value`, in order. */
export function bindings(source: ChunkedSource, scope = '<module>'): string[] {
  return source.facts.bindings
    .filter((fact) => source.chunks[fact.scope]!.qualifiedName === scope)
    .map((fact) => `${fact.target} ${fact.how} ${fact.value}`);
}

/**
 * Fails unless a parsed source is valid by the documentation of `ParsedFile`.
 * @param docs pattern of the language's docstrings
 * @param canNest true if functions may be in functions, as in templates
 */
export function assertSound(
  source: ChunkedSource,
  docs = /^\w{0,2}['"].*['"]$/s,
  canNest = false,
): void {
  const { chunks, facts, lines } = source;
  const [module] = chunks;
  assert.deepEqual([module!.kind, module!.startLine, module!.endLine], ['module', 1, lines]);
  const innermost = new Array<number>(lines + 1).fill(0);
  chunks.forEach((chunk, i) => {
    const where = `${chunk.qualifiedName}#${chunk.ordinal}`;
    assert.ok(chunk.startLine <= chunk.endLine && chunk.endLine <= lines, `range of ${where}`);
    assert.ok(i === 0 || chunk.startLine >= chunks[i - 1]!.startLine, `order of ${where}`);
    assert.ok(chunk.parent < i, `parent of ${where}`);
    // A chunk begins and ends inside its parent. It may begin on the last line of another one.
    const around = Math.max(chunk.parent, 0);
    assert.ok(chunk.endLine <= chunks[around]!.endLine, `${where} ends after its parent`);
    for (let line = chunk.startLine; i > 0 && line <= chunk.endLine; line++) {
      const isShared = line === chunk.startLine && chunks[innermost[line]!]!.endLine === line;
      const outer = chunks[innermost[line]!]!;
      const isNested = canNest && outer.kind === 'function' && outer.endLine >= chunk.endLine;
      if (!isShared && !isNested) assert.equal(innermost[line], around, `line ${line} of ${where}`);
      innermost[line] = i;
    }
    assert.ok(!chunk.text.includes('\t'), `tabs in ${where}`);
    assert.ok(
      chunk.text.split('\n').every((line) => line === line.trimEnd()),
      `white space at line ends of ${where}`,
    );
    assert.ok(chunk.signatureEnd <= chunk.text.length, `signature of ${where}`);
    if (chunk.doc) assert.match(chunk.text.slice(...chunk.doc), docs, where);
  });
  const addresses = chunks.map(({ qualifiedName, ordinal }) => `${qualifiedName}#${ordinal}`);
  assert.equal(new Set(addresses).size, chunks.length, 'addresses are unique');
  for (const fact of [...facts.imports, ...facts.bindings, ...facts.references]) {
    assert.ok(chunks[fact.scope], 'facts have a scope');
  }
  for (const { scope, names } of facts.locals ?? []) {
    assert.ok(['function', 'method'].includes(chunks[scope]!.kind) && names.length > 0);
  }
}
