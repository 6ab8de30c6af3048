import type { NamedLines } from '../../issue/mentions/lines.ts';
import type { SearchIndex } from '../../snapshot/types.ts';

/**
 * What lines of a file are of, as far as they are in it: functions and methods, or else the classes around them, or else the
 * code outside any definition.
 */
export function slotsOfLines(
  { first, last }: NamedLines,
  file: string,
  index: SearchIndex,
): number[] {
  const near = index.slotsByPath(file).filter((slot) => {
    const { startLine, endLine } = index.chunk(slot);
    return startLine <= last && first <= endLine;
  });
  const found = new Set<number>();
  for (let line = first; line <= last; line++) {
    const around = near.filter((slot) => {
      const { startLine, endLine } = index.chunk(slot);
      return startLine <= line && line <= endLine;
    });
    const innermost = around.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0];
    if (innermost !== undefined) found.add(innermost);
  }
  const slots = [...found];
  const kindOf = (slot: number) => index.chunk(slot).kind;
  const callable = slots.filter((slot) => kindOf(slot) !== 'class' && kindOf(slot) !== 'module');
  if (callable.length > 0) return callable;
  const classes = slots.filter((slot) => kindOf(slot) === 'class');
  return classes.length > 0 ? classes : slots;

  /** The code outside any definition has what is left of all of the file. */
  function lengthOf(slot: number): number {
    const { kind, startLine, endLine } = index.chunk(slot);
    return kind === 'module' ? Number.POSITIVE_INFINITY : endLine - startLine;
  }
}
