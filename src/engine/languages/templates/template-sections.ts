/** Makes sections of the parts of a template. Large parts are split. */
import { chooseCuts, countSpaceBefore } from '../javascript/template-parts.ts';
import { type MarkupSection, TEMPLATE_NAME } from '../markup.ts';

export interface TemplatePart {
  name: string;
  start: number;
  end: number;
  /** True for a block that no name calls, such as those of an inherited template. */
  isBlock: boolean;
  /** Parts in it, in no order. */
  parts: TemplatePart[];
}

interface Range {
  start: number;
  end: number;
}

/** Maximum number of pieces of one part. */
const MAX_PIECES = 20;
/** Line that begins with a tag, but not with the end of one or an `else`. */
const TAG_START =
  /^\s*(?:<(?!\/|%-?[ \t]{0,9}(?:end|els))|\{(?!\{[/~]|%[-+~]?[ \t]{0,9}(?:end|el))|@(?!end|els|stop|show))/;

/** Returns the sections of a part and of those in it, in order of their start, outer before inner. Pure. */
export function createSections(
  text: string,
  part: TemplatePart,
  scripts: readonly Range[],
): MarkupSection[] {
  const { name, start, parts, isBlock } = part;
  const end = part.end - countSpaceBefore(text, part.start, part.end);
  const { tags, rows } = listTags(text, part, scripts);
  const cuts = chooseCuts(text, tags, rows).slice(0, MAX_PIECES - 1);
  const own = [start, ...cuts].map((first, i): MarkupSection => {
    const last = cuts[i] ?? end;
    return {
      name: formatPieceName(name, i + 1),
      startIndex: first,
      endIndex: last - countSpaceBefore(text, first, last),
      ...{ locals: [], components: [], isOpen: true },
      ...(isBlock && { isBlock }),
    };
  });
  const inner = parts.flatMap((one) => createSections(text, one, scripts));
  return [...own, ...inner].sort((a, b) => a.startIndex - b.startIndex || b.endIndex - a.endIndex);
}

/** Returns the tags that are the first on their row, without those in inner parts and scripts, and the number of such rows. */
function listTags(
  text: string,
  { start, end, parts }: TemplatePart,
  scripts: readonly Range[],
): { tags: { at: number; row: number }[]; rows: number } {
  const within = scripts.filter((one) => start <= one.start && one.start < end);
  const skipped = [...parts, ...within].sort((a, b) => a.start - b.start);
  const tags: { at: number; row: number }[] = [];
  let [row, next] = [0, 0];
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; row++) {
    while (next < skipped.length && (skipped[next]?.end ?? 0) <= at) next++;
    const around = skipped[next];
    if (around && around.start <= at) {
      at = text.indexOf('\n', around.end);
      continue;
    }
    const following = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, following < 0 ? end : following);
    const offset = at + 1 + line.search(/\S/);
    if (TAG_START.test(line) && around?.start !== offset) tags.push({ at: offset, row: row + 1 });
    at = following;
  }
  return { tags, rows: row };
}

/** Returns the name of the n-th piece of a part: `<template-2>`, `content-2`. */
function formatPieceName(name: string, number: number): string {
  if (number === 1) return name;
  return name === TEMPLATE_NAME ? `${name.slice(0, -1)}-${number}>` : `${name}-${number}`;
}
