/** Provides the engine's chunks to Monaco as document symbols, for sticky headers and the symbol list. */

import { type CodeTokens, TOKEN_KINDS } from '../../../shared/code-tokens.ts';
import type { FileDetail, OutlinedChunk } from '../../../shared/detail.ts';
import { MAX_CODE } from '../../../shared/limits.ts';
import { engine } from '../../platform/client.ts';
import type { Monaco } from '../../ui/CodeEditor.tsx';
import type { editor, languages } from '../../ui/monaco.ts';
import { once } from '../../ui/once.ts';
import { toLineRange } from './decorations.ts';
import { buildOutline } from './nesting.ts';

const files = new WeakMap<editor.ITextModel, FileDetail>();

export function registerSymbols(monaco: Monaco, model: editor.ITextModel, file: FileDetail): void {
  files.set(model, file);
  registerOutline(monaco);
}

const registerOutline = once((monaco: Monaco) =>
  monaco.languages.registerDocumentSymbolProvider('*', {
    displayName: 'Locus',
    provideDocumentSymbols: (model) => {
      const file = files.get(model);
      return file ? createSymbols(file, model, monaco) : [];
    },
  }),
);

function createSymbols(
  { chunks }: FileDetail,
  model: editor.ITextModel,
  monaco: Monaco,
): languages.DocumentSymbol[] {
  const top: languages.DocumentSymbol[] = [];
  const enclosing: languages.DocumentSymbol[] = [];
  const shown = chunks.filter(({ endLine }) => endLine <= model.getLineCount());
  for (const { chunk, depth } of buildOutline(shown)) {
    const symbol = createSymbol(chunk, model, monaco);
    (enclosing[depth - 1]?.children ?? top).push(symbol);
    enclosing[depth] = symbol;
  }
  return top;
}

const KINDS = {
  class: 'Class',
  method: 'Method',
  function: 'Function',
  module: 'Module',
  section: 'Namespace',
} as const;

function createSymbol(
  chunk: OutlinedChunk,
  model: editor.ITextModel,
  { languages }: Monaco,
): languages.DocumentSymbol {
  const line = chunk.headerLine;
  const at = toLineRange(line, line);
  const endColumn = model.getLineMaxColumn(chunk.endLine);
  return {
    name: chunk.name,
    detail: '',
    kind: languages.SymbolKind[KINDS[chunk.kind]],
    tags: [],
    range: { ...at, endLineNumber: chunk.endLine, endColumn },
    selectionRange: at,
    children: [],
  };
}

const tokens = new WeakMap<editor.ITextModel, Promise<CodeTokens>>();

/** Colors the names of a file by kind. Skips very long files. */
export function colorNames(monaco: Monaco, model: editor.ITextModel, file: FileDetail): void {
  const { path, text } = file;
  if (text.length > MAX_CODE) return;
  tokens.set(
    model,
    engine.call('code.tokens', { path, text }).catch(() => []),
  );
  registerTokens(monaco);
}

const registerTokens = once((monaco: Monaco) =>
  monaco.languages.registerDocumentSemanticTokensProvider('*', {
    getLegend: () => ({ tokenTypes: [...TOKEN_KINDS], tokenModifiers: [] }),
    provideDocumentSemanticTokens: async (model) => {
      const found = await tokens.get(model);
      return found ? { data: Uint32Array.from(found) } : null;
    },
    releaseDocumentSemanticTokens: () => {},
  }),
);
