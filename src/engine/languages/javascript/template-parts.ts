/** Splits large templates into parts. */
import { type MarkupSection, TEMPLATE_NAME } from '../markup.ts';

/** Template, or a named part of one. */
export interface TemplatePiece {
  start: number;
  end: number;
  /** Name of a snippet; null for other parts of a template, which may be split. */
  name: string | null;
}

/** Name in a template, and its offset. */
export interface NameAt {
  at: number;
  name: string;
}

/** Text of a file, and what was found in its templates, in order. */
interface CollectedMarkup {
  text: string;
  locals: readonly NameAt[];
  components: readonly NameAt[];
  /** Offsets of tags that are the first on their line. */
  tagStarts: readonly number[];
}

/** Numbers of rows of a part, except for the last one and where no tag begins. */
const MIN_ROWS = 20;
const MAX_ROWS = 80;

/** Builds the sections of templates, which are in order. Parts after the first are numbered: `<template-2>`. */
export function buildSections(
  { text, locals, components, tagStarts }: CollectedMarkup,
  pieces: readonly TemplatePiece[],
): MarkupSection[] {
  const takeLocals = createTaker(locals, ({ at }) => at);
  const takeComponents = createTaker(components, ({ at }) => at);
  const takeTagStarts = createTaker(tagStarts, (at) => at);
  let count = 0;
  return pieces.flatMap(({ start, end, name }) => {
    const bound = listNames(takeLocals(end));
    const used = listNames(takeComponents(end));
    const countRows = createRowCounter(text, start);
    const starts = takeTagStarts(end)
      .filter((at) => at > start)
      .map((at) => ({ at, row: countRows(at) }));
    const cuts = name === null ? chooseCuts(text, starts, countRows(end)) : [];
    return [start, ...cuts].map((first, i): MarkupSection => {
      const last = cuts[i] ?? end;
      return {
        name: name ?? formatTemplateName(++count),
        startIndex: first,
        endIndex: last - countSpaceBefore(text, first, last),
        locals: bound,
        components: i === 0 ? used : [],
      };
    });
  });
}

function formatTemplateName(number: number): string {
  return number === 1 ? TEMPLATE_NAME : `${TEMPLATE_NAME.slice(0, -1)}-${number}>`;
}

function listNames(found: readonly NameAt[]): string[] {
  return [...new Set(found.map(({ name }) => name))];
}

/** Returns a function that returns the next items before an offset, which only grows. */
function createTaker<T>(items: readonly T[], locate: (item: T) => number): (end: number) => T[] {
  let next = 0;
  return (end) => {
    const first = next;
    while (next < items.length && locate(items[next] as T) < end) next++;
    return items.slice(first, next);
  };
}

/**
 * Returns the offsets of the tags before which a template is split: of those that give a part of a good size, the least indented.
 * @param tags offsets of tags, and their rows within the template
 * @param lastRow number of rows of the template
 */
export function chooseCuts(
  text: string,
  tags: readonly { at: number; row: number }[],
  lastRow: number,
): number[] {
  const cuts: number[] = [];
  for (let [firstRow, next] = [0, 0]; lastRow - firstRow >= MAX_ROWS; next++) {
    let [best, least] = [-1, 0];
    for (; next < tags.length; next++) {
      const { at = 0, row = 0 } = tags[next] ?? {};
      const length = row - firstRow;
      if (best >= 0 && length > MAX_ROWS) break;
      const indent = at - text.lastIndexOf('\n', at);
      if (length >= MIN_ROWS && (best < 0 || indent <= least)) [best, least] = [next, indent];
    }
    const cut = tags[best];
    if (!cut) break;
    cuts.push(cut.at);
    firstRow = cut.row;
    next = best;
  }
  return cuts;
}

/** Returns a function that counts the line breaks between the start and an offset, which only grows. */
function createRowCounter(text: string, start: number): (at: number) => number {
  let [row, next] = [0, text.indexOf('\n', start)];
  return (at) => {
    for (; next >= 0 && next < at; next = text.indexOf('\n', next + 1)) row++;
    return row;
  };
}

/** Returns the amount of white space that ends before an offset and begins after another one. */
export function countSpaceBefore(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && /\s/.test(text.charAt(at - 1))) at--;
  return to - at;
}
