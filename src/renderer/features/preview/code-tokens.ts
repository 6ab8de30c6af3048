/** The colours of names by what they are: the engine says which, from its parse of the file; Monaco draws them. */
import { type CodeTokens, TOKEN_KINDS } from '../../../shared/code-tokens.ts';
import type { FileDetail } from '../../../shared/detail.ts';
import { MAX_CODE } from '../../../shared/limits.ts';
import { engine } from '../../platform/client.ts';
import type { Monaco } from '../../ui/CodeEditor.tsx';
import type { editor } from '../../ui/monaco.ts';

const tokens = new WeakMap<editor.ITextModel, Promise<CodeTokens>>();
let registered = false;

/** Has the names of a file told apart in the model that shows it; of a very long one they are not. */
export function tellNames(monaco: Monaco, model: editor.ITextModel, file: FileDetail): void {
  const { path, text } = file;
  if (text.length > MAX_CODE) return;
  tokens.set(
    model,
    engine.call('code.tokens', { path, text }).catch(() => []),
  );
  if (registered) return;
  registered = true;
  monaco.languages.registerDocumentSemanticTokensProvider('*', {
    getLegend: () => ({ tokenTypes: [...TOKEN_KINDS], tokenModifiers: [] }),
    provideDocumentSemanticTokens: async (model) => {
      const found = await tokens.get(model);
      return found ? { data: Uint32Array.from(found) } : null;
    },
    releaseDocumentSemanticTokens: () => {},
  });
}
