import type { ReadLine } from './kinds.ts';

/** Where code and output stand: blocks with their marks, indented lines, tracebacks; without blank lines at the ends. */
export function codeBlocks(lines: readonly ReadLine[]): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const { start, text, kind, isFenced, isAfterGap } of lines) {
    const isBlock = isFenced || kind === 'code' || kind === 'traceback';
    const last = blocks.at(-1);
    if (!isBlock || isAfterGap) isOpen = false;
    if (!isBlock || text.trim() === '') continue;
    const end = start + text.length;
    if (isOpen && last) last.end = end;
    else blocks.push({ start, end });
    isOpen = true;
  }
  return blocks;
}
