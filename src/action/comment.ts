/**
 * Writes the comment. Text from the repository and the issue is only ever inside code spans, where GitHub makes no mention, reference,
 * link or markup of it.
 */
import { formatCodeSpan } from '../services/exchange/markdown-text.ts';
import { formatPermalink } from '../services/remote/permalink.ts';
import { formatCounted } from '../shared/format-count.ts';
import type { RemoteUrl } from '../shared/remote-url.ts';
import { VERSION } from '../shared/version.ts';
import type { RankedFunction, RankedList } from './list.ts';

/** First line of every comment of the action, by which a later run finds it. GitHub does not show it. */
export const MARKER = '<!-- locus-edit: ranked functions -->';

/** Maximum length of a link. A function with a longer one is shown without. */
const MAX_URL = 2000;
/** Maximum length of a path. Of a longer one, the end is shown. */
const MAX_SHOWN_PATH = 200;

export interface CommentPlace {
  /** Repository of the issue, on the web. */
  remote: RemoteUrl;
  /** Label that prevents the ranking; empty for none. */
  label: string;
  /** Address of Locus on the web; null if it is unknown. */
  homepage: string | null;
}

/** Writes the Markdown of a comment. */
export function writeComment(list: RankedList, { remote, label, homepage }: CommentPlace): string {
  const { commit, functions, partial, results } = list;
  const tree = `${remote.scheme}://${remote.host}/${remote.path}/tree/${commit}`;
  const locus = homepage === null ? 'Locus' : `[Locus](<${homepage}>)`;
  const optOut = label === '' ? '' : ` The label ${formatCodeSpan(label)} prevents that.`;
  return [
    MARKER,
    `**Where a fix may edit**: the first ${results.length} of ${formatCounted(functions, 'function')} at [${formatCodeSpan(commit.slice(0, 12))}](<${tree}>)`,
    ...(partial === null ? [] : ['', `**Not final**: ${formatReason(partial)}`]),
    '',
    ...results.flatMap((result, i) => writeItem(result, i + 1, list, remote)),
    '',
    `<sub>A suggestion of ${locus} ${VERSION}, from the text of the issue. It changes when the issue is edited.${optOut}</sub>`,
    '',
  ].join('\n');
}

function writeItem(
  result: RankedFunction,
  rank: number,
  { commit }: RankedList,
  remote: RemoteUrl,
): string[] {
  const { path, name, kind, startLine, reasons } = result;
  const url = formatPermalink('github', remote, commit, path, result);
  const shown = formatCodeSpan(name);
  const title = url.length > MAX_URL ? shown : `[${shown}](<${url}>)`;
  const end = path.length > MAX_SHOWN_PATH ? `…${path.slice(-MAX_SHOWN_PATH)}` : path;
  const why = reasons.map(formatReason).join(' · ');
  return [
    `${rank}. ${title} ${kind === 'module' ? 'module code' : kind}, ${formatCodeSpan(`${end}:${startLine}`)}`,
    ...(why === '' ? [] : [`   Why: ${why}`]),
  ];
}

/** Characters of Locus's own words. None starts markup, a mention or a reference. */
const PLAIN = /^[\p{L}\p{N} ,.:;()'’“”…–-]*$/u;
/** Words that GitHub makes links of without other characters. */
const AUTOLINK = /www\.|\bgh-\d/i;

/** Formats a reason: text between backquotes as code, the rest as it is. A reason with markup in the rest is code as a whole. */
export function formatReason(reason: string): string {
  const parts = reason.split(/`([^`]+)`/);
  const words = parts.filter((_, i) => i % 2 === 0);
  if (!words.every((text) => PLAIN.test(text) && !AUTOLINK.test(text)))
    return formatCodeSpan(reason);
  return parts.map((text, i) => (i % 2 === 0 ? text : formatCodeSpan(text))).join('');
}
