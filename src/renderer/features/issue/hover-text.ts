/** Text of the hover over a mention, in Monaco's Markdown. */
import { MODULE_NAME, splitAddress } from '../../../shared/address.ts';
import { code } from '../../ui/code-spans.ts';
import { counted } from '../../ui/counts.ts';
import type { Mention, Target } from './mentions.ts';

/** Monaco's command that a link in the hover runs, with the address of what to select. */
export const SELECT_COMMAND = 'locus.select';
const SHOWN = 12;

/** Describes a mention, with its targets as links. */
export function explain(mention: Mention, targets: readonly Target[]): string {
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
  const { path, name } = splitAddress(address);
  const query = encodeURIComponent(JSON.stringify([address])).replace(
    /[()'*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  const to = `command:${SELECT_COMMAND}?${query}`;
  const label = name === MODULE_NAME ? code(path) : `${code(name)}](${to}) in [${code(path)}`;
  return `[${label}](${to})${rank === null ? '' : ` · rank ${rank}`}`;
}
