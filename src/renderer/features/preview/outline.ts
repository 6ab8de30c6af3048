/** The engine's chunks as Monaco's outline of a file: sticky headers and its list of symbols are made from it. */

import type { FileDetail, OutlinedChunk } from '../../../shared/detail.ts';
import type { Monaco } from '../../ui/CodeEditor.tsx';
import type { editor, languages } from '../../ui/monaco.ts';

const files = new WeakMap<editor.ITextModel, FileDetail>();
let registered = false;

/** Tells which file a model shows. */
export function outline(monaco: Monaco, model: editor.ITextModel, file: FileDetail): void {
  files.set(model, file);
  if (registered) return;
  registered = true;
  monaco.languages.registerDocumentSymbolProvider('*', {
    displayName: 'Locus',
    provideDocumentSymbols: (model) => {
      const file = files.get(model);
      return file ? symbolsOf(file, model, monaco) : [];
    },
  });
}

function symbolsOf(
  { chunks }: FileDetail,
  model: editor.ITextModel,
  monaco: Monaco,
): languages.DocumentSymbol[] {
  const top: languages.DocumentSymbol[] = [];
  const around: languages.DocumentSymbol[] = [];
  for (const chunk of chunks) {
    if (chunk.kind === 'module' || chunk.endLine > model.getLineCount()) continue;
    const symbol = symbolOf(chunk, model, monaco);
    let outer = around.at(-1);
    while (outer && outer.range.endLineNumber < chunk.endLine) {
      around.pop();
      outer = around.at(-1);
    }
    (outer?.children ?? top).push(symbol);
    around.push(symbol);
  }
  return top;
}

const KINDS = { class: 'Class', method: 'Method', function: 'Function', module: 'Module' } as const;

function symbolOf(
  chunk: OutlinedChunk,
  model: editor.ITextModel,
  { languages }: Monaco,
): languages.DocumentSymbol {
  const line = chunk.headerLine;
  const at = { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 };
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
