/** Formats the check of an exported list by a language model: who checked it, and a verdict for each result. */
import type { ListCheck } from '../../shared/check.ts';
import { describeChanged } from '../../shared/checked-order.ts';
import { MARK_TITLES } from '../../shared/marks.ts';
import { quoteText } from '../../shared/quote.ts';
import type { RankedChunk } from '../../shared/search.ts';
import type { ListEntry, LocusList } from './list.ts';

/** Returns who checked the list; undefined without a check. */
export function toCheckHead(check: ListCheck | undefined): LocusList['check'] {
  if (!check) return undefined;
  const { model, place, checkedAt, isApplied } = check;
  return { model, place, checkedAt, order: isApplied ? 'checked' : 'before' };
}

/** Returns the verdict on a result; undefined without a check, or if the model was not asked about it. */
export function findVerdict(check: ListCheck | undefined, { address, rank }: RankedChunk): Verdict {
  const checked = check?.chunks.find((one) => one.address === address);
  if (!checked) return undefined;
  const { isEdit, reason, isChanged } = checked;
  return { edit: isEdit, reason, rankBefore: rank, ...(isChanged && { changed: isChanged }) };
}
type Verdict = ListEntry['check'];

/** Says who checked a list, when, and what of the list is the model's. */
export function describeCheck({
  model,
  place,
  checkedAt,
  order,
}: NonNullable<LocusList['check']>): string {
  const whose =
    order === 'checked'
      ? 'The order and the verdicts are those of a language model and may be wrong.'
      : 'The verdicts are those of a language model and may be wrong. The order is that before the check.';
  return `Checked by ${quoteText(`${model} ${place}`)} on ${checkedAt.slice(0, 10)}. ${whose}`;
}

/** Returns the sentences about the check of a list; none without one. */
export function listCheckNotes(check: ListCheck | undefined): string[] {
  const head = toCheckHead(check);
  if (!check || !head) return [];
  const changed = describeChanged(check);
  return [describeCheck(head), ...(changed === null ? [] : [changed])];
}

/**
 * Says the verdict in words, without the end of the sentence.
 * @param quote formats the model's reason, which is untrusted
 */
export function describeVerdict(
  { edit, reason, rankBefore, changed }: NonNullable<Verdict>,
  rank: number | null,
  quote: (reason: string) => string,
): string {
  const notes = [
    ...(rank !== rankBefore ? [`rank ${rankBefore} before`] : []),
    ...(changed ? ['changed since'] : []),
  ];
  const verdict = edit ? MARK_TITLES.edit : 'Not to edit';
  return `${verdict}${reason && `: ${quote(reason)}`}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
