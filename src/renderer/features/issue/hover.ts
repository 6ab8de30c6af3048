/** The hover over a mention: which chunks or files it points to, as links that select them. */
import type { Monaco } from '../../ui/CodeEditor.tsx';
import { counted } from '../../ui/counts.ts';
import { code } from '../../ui/markdown.ts';
import type { editor, languages } from '../../ui/monaco.ts';
import { cursorLine, jump } from '../preview/index.ts';
import type { Mention, Target } from './mentions.ts';
import { mentionsAt, targetsOf } from './placed-mentions.ts';

const COMMAND = 'locus.select';
const SHOWN = 12;

let model: editor.ITextModel | null = null;
let registered = false;

/** Explains mentions in this editor from now on. */
export function explainMentions(monaco: Monaco, made: editor.IStandaloneCodeEditor): void {
  model = made.getModel();
  if (registered) return;
  registered = true;
  monaco.editor.registerCommand(COMMAND, (_accessor, address: string) =>
    jump(address, cursorLine()),
  );
  monaco.languages.registerHoverProvider('markdown', {
    provideHover: async (asked, at): Promise<languages.Hover | null> => {
      const mentions = asked === model ? mentionsAt(at) : [];
      if (mentions.length === 0) return null;
      const contents = mentions.map(async (mention) => ({
        value: explain(mention, await targetsOf(mention)),
        isTrusted: { enabledCommands: [COMMAND] },
      }));
      return { contents: await Promise.all(contents) };
    },
  });
}

function explain(mention: Mention, targets: readonly Target[]): string {
  const items = targets.slice(0, SHOWN).map(link);
  const more = countOf(mention, targets) - items.length;
  if (more > 0) items.push(`and ${more} more`);
  return [headline(mention, targets), ...items].join('  \n');
}

function headline(mention: Mention, targets: readonly Target[]): string {
  if (mention.kind === 'frame') {
    const place = `line ${mention.line} of ${code(mention.path)}`;
    return mention.address ? `A frame, ${place}\n` : `A frame outside of this repository: ${place}`;
  }
  const [verb, what] = mention.kind === 'name' ? ['Names', 'definition'] : ['Stands for', 'file'];
  return `${verb} ${counted(countOf(mention, targets), what)} of this repository`;
}

const countOf = (mention: Mention, targets: readonly Target[]): number =>
  mention.kind === 'name' ? mention.definitions : targets.length;

function link({ address, rank }: Target): string {
  const at = address.lastIndexOf('::');
  const [path, name] = [address.slice(0, at), address.slice(at + 2)];
  const query = encodeURIComponent(JSON.stringify([address])).replace(
    /[()'*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  const to = `command:${COMMAND}?${query}`;
  const label = name === '<module>' ? code(path) : `${code(name)}](${to}) in [${code(path)}`;
  return `[${label}](${to})${rank === null ? '' : ` · rank ${rank}`}`;
}
