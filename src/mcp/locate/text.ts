/** Formats rows as text, grouped by file. */
import { basename } from 'node:path/posix';
import { quoteText } from '../../shared/quote.ts';
import { formatNumberedLines } from '../numbered-lines.ts';
import type { RelatedPlace, Relation } from './relations.ts';
import type { LocatedRow } from './rows.ts';

/** Groups rows by file. Files are in the order of their first rows. */
export function formatRows(rows: readonly LocatedRow[]): string[] {
  const files = [...Map.groupBy(rows, ({ path }) => path)];
  return files.flatMap(([path, own]) => [quoteText(path), ...own.flatMap(formatRow)]);
}

/** Returns the number of characters of a row without its code. */
export function measureHead(row: LocatedRow): number {
  return [quoteText(row.path), ...formatHead(row), ''].join('\n').length;
}

function formatRow(row: LocatedRow): string[] {
  const [first = '', ...others] = formatHead(row);
  return [first, ...formatNumberedLines(row.lines), ...others];
}

function formatHead({
  rank,
  path,
  name,
  kind,
  startLine,
  endLine,
  package: packageName,
  reason,
  check,
  twins,
  relations,
}: LocatedRow): string[] {
  const inside = packageName === undefined ? '' : ` in ${quoteText(packageName)}`;
  return [
    `${rank}. ${quoteText(name)} (${kind}, ${startLine}-${endLine})${inside}${reason && `: ${reason}`}`,
    ...(check?.edit ? [`  check: edit${check.reason && `, ${quoteText(check.reason)}`}`] : []),
    ...(twins.length > 0 ? [`  same code: ${twins.map(quoteText).join(', ')}`] : []),
    ...relations.map((relation) => `  ${formatRelation(relation, path)}`),
  ];
}

/**
 * Formats a relation as ``called by: `Cart.total`:11 (#2), `pay` in `till.py`:7, +3 more``. Only the file's own name is shown, since
 * paths are long; the tool `read` finds most functions by name.
 */
function formatRelation({ relation, places, omitted }: Relation, path: string): string {
  const format = (place: RelatedPlace) => {
    const file = place.path === path ? '' : ` in ${quoteText(basename(place.path))}`;
    const rank = place.rank === undefined ? '' : ` (#${place.rank})`;
    return `${quoteText(place.name)}${file}:${place.line}${rank}`;
  };
  const more = omitted > 0 ? `, +${omitted} more` : '';
  return `${relation}: ${places.map(format).join(', ')}${more}`;
}
