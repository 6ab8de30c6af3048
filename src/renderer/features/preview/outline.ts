/** The engine's chunks as Monaco's outline of a file: sticky headers and its list of symbols are made from it. */
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { FileDetail } from '../../../shared/detail.ts';
import type { Monaco } from '../../ui/CodeEditor.tsx';
import type { editor, languages } from '../../ui/monaco.ts';

const files = new WeakMap<editor.ITextModel, FileDetail>();
let registered = false;

/** Tells which file a model shows. */
export function outline(monaco: Monaco, model: editor.ITextModel, file: FileDetail): void {
  files.set(model, file);
  if (registered) return;
  registered = true;
  monaco.languages.registerDocumentSymbolProvider('python', {
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
  chunk: ChunkSummary,
  model: editor.ITextModel,
  { languages }: Monaco,
): languages.DocumentSymbol {
  const line = headerLine(chunk, model);
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

const MOST_DECORATORS = 40;

/** The line with `def` or `class`, which decorators may stand before: that one is to stick. */
function headerLine({ startLine, endLine }: ChunkSummary, model: editor.ITextModel): number {
  const last = Math.min(endLine, startLine + MOST_DECORATORS);
  for (let line = startLine; line <= last; line++) {
    if (/^\s*(async\s+def|def|class)\b/.test(model.getLineContent(line).slice(0, 500))) return line;
  }
  return startLine;
}
