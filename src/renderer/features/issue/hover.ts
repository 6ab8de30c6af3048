/** The hover over a mention: which chunks or files it points to, as links that select them. */
import type { Monaco } from '../../ui/CodeEditor.tsx';
import type { editor, languages } from '../../ui/monaco.ts';
import { cursorLine, jump } from '../preview/index.ts';
import { explain, SELECT_COMMAND } from './hover-text.ts';
import { mentionsAt, targetsOf } from './placed-mentions.ts';

let model: editor.ITextModel | null = null;
let registered = false;

/** Explains mentions in this editor from now on. */
export function explainMentions(monaco: Monaco, made: editor.IStandaloneCodeEditor): void {
  model = made.getModel();
  if (registered) return;
  registered = true;
  monaco.editor.registerCommand(SELECT_COMMAND, (_accessor, address: string) =>
    jump(address, cursorLine()),
  );
  monaco.languages.registerHoverProvider('markdown', {
    provideHover: async (asked, at): Promise<languages.Hover | null> => {
      const mentions = asked === model ? mentionsAt(at) : [];
      if (mentions.length === 0) return null;
      const contents = mentions.map(async (mention) => ({
        value: explain(mention, await targetsOf(mention)),
        isTrusted: { enabledCommands: [SELECT_COMMAND] },
      }));
      return { contents: await Promise.all(contents) };
    },
  });
}
