/** Formats the hover of a mention as Markdown for Monaco. */

import { MODULE_NAME, splitAddress } from '../../../shared/address.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import { toCodeSpan } from '../../ui/code-spans.ts';
import type { Mention, MentionTarget } from './mentions.ts';

/** Monaco command that a link in the hover runs. Its argument is the address to select. */
export const SELECT_COMMAND = 'locus.select';
const MAX_TARGETS = 12;

/** Describes a mention, with its targets as links. */
export function formatMentionHover(mention: Mention, targets: readonly MentionTarget[]): string {
  const items = targets.slice(0, MAX_TARGETS).map(formatLink);
  const more = countTargets(mention, targets) - items.length;
  if (more > 0) items.push(`and ${more} more`);
  return [formatHeadline(mention, targets), ...items].join('  \n');
}

function formatHeadline(mention: Mention, targets: readonly MentionTarget[]): string {
  if (mention.kind === 'frame') {
    const location = `line ${mention.line} of ${toCodeSpan(mention.path)}`;
    return mention.address ? `Frame: ${location}\n` : `Frame outside this repository: ${location}`;
  }
  const noun = mention.kind === 'name' ? 'function' : 'file';
  return `Matches ${formatCounted(countTargets(mention, targets), noun)} in this repository`;
}

const countTargets = (mention: Mention, targets: readonly MentionTarget[]): number =>
  mention.kind === 'name' ? mention.definitions : targets.length;

function formatLink({ address, rank }: MentionTarget): string {
  const { path, name } = splitAddress(address);
  const query = encodeURIComponent(JSON.stringify([address])).replace(
    /[()'*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  const url = `command:${SELECT_COMMAND}?${query}`;
  const label =
    name === MODULE_NAME
      ? toCodeSpan(path)
      : `${toCodeSpan(name)}](${url}) in [${toCodeSpan(path)}`;
  return `[${label}](${url})${rank === null ? '' : ` · rank ${rank}`}`;
}
