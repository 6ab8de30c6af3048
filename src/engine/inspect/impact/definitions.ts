/** Compares the definitions of a file before and after a diff. */
import type { FunctionChange } from '../../../shared/impact.ts';
import type { ParsedChunk } from '../../parse/types.ts';

/** A definition with its text, as it is parsed or stored. */
export type DiffedDefinition = Pick<
  ParsedChunk,
  'qualifiedName' | 'ordinal' | 'name' | 'kind' | 'text' | 'signatureEnd'
>;

/** A definition that a diff changes; `before` is null for an added one, `after` for a removed one. */
export interface ChangedDefinition {
  before: DiffedDefinition | null;
  after: DiffedDefinition | null;
  change: FunctionChange;
}

const makeKey = ({ qualifiedName, ordinal }: DiffedDefinition) => `${qualifiedName}#${ordinal}`;

/** Minimum share of equal lines for a definition to count as a renamed one. */
const MIN_ALIKE = 0.5;

/** Lists the definitions that are added, removed or renamed, or whose text differs. Module code and sections are left out. */
export function compareDefinitions(
  before: readonly DiffedDefinition[],
  after: readonly DiffedDefinition[],
): ChangedDefinition[] {
  const isCode = ({ kind }: DiffedDefinition) => kind !== 'module' && kind !== 'section';
  const old = new Map(before.filter(isCode).map((one) => [makeKey(one), one]));
  const added: DiffedDefinition[] = [];
  const changed: ChangedDefinition[] = [];
  for (const one of after.filter(isCode)) {
    const was = old.get(makeKey(one));
    old.delete(makeKey(one));
    if (!was) added.push(one);
    else if (was.text !== one.text)
      changed.push({
        before: was,
        after: one,
        change: hasSameSignature(was, one) ? 'body' : 'signature',
      });
  }
  for (const one of old.values()) {
    const renamed = findRenamed(one, added);
    if (renamed) added.splice(added.indexOf(renamed), 1);
    changed.push({ before: one, after: renamed, change: renamed ? 'renamed' : 'removed' });
  }
  for (const one of added) changed.push({ before: null, after: one, change: 'added' });
  return changed;
}

const hasSameSignature = (a: DiffedDefinition, b: DiffedDefinition): boolean =>
  readSignature(a) === readSignature(b);

/** Returns the signature from the name on, without white space: decorators and the headers of classes around it do not matter. */
function readSignature({ text, signatureEnd, name }: DiffedDefinition): string {
  const lines = text.slice(0, signatureEnd).split('\n');
  const first = lines.findLastIndex((line) => line.includes(name));
  const rest = lines.slice(Math.max(0, first)).join('');
  return rest
    .slice(Math.max(0, rest.indexOf(name)))
    .replace(/\s/g, '')
    .replace(/,\)/g, ')')
    .replace(/[{:;]{1,3}$/, '');
}

/** Returns the added definition of the same kind whose lines are most alike; null if none is. */
function findRenamed(
  removed: DiffedDefinition,
  added: readonly DiffedDefinition[],
): DiffedDefinition | null {
  let best: DiffedDefinition | null = null;
  let most = MIN_ALIKE;
  for (const one of added.slice(0, MAX_COMPARED)) {
    if (one.kind !== removed.kind) continue;
    const share = computeShare(listBodyLines(removed), listBodyLines(one));
    if (share < most || (best && share === most)) continue;
    best = one;
    most = share;
  }
  return best;
}

const MAX_COMPARED = 50;

const listBodyLines = ({ text, signatureEnd }: DiffedDefinition): string[] =>
  text
    .slice(signatureEnd)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the number of shared lines as a share of all distinct lines. */
function computeShare(a: readonly string[], b: readonly string[]): number {
  const [some, others] = [new Set(a), new Set(b)];
  const shared = some.intersection(others).size;
  return shared / Math.max(1, some.size + others.size - shared);
}
