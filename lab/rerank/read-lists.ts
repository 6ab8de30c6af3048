/**
 * Reranks the first candidates of lists with the models that come with Locus, as a search does:
 * `npm run -s lab -- read-lists --lists <folder> --out <folder> [--most 50]`
 *
 * `--lists` has lists that `training-lists` wrote. Writes a file for each issue, in the format of `measure-reranked`. A new
 * run continues with the missing ones. Candidates after the first hundred count as not found.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  getIssueSyntaxes,
  openRerankers,
  RERANKER_MODELS,
  readIssue,
  scoreInOrder,
} from '../../src/engine/lab.ts';
import { computeRanks } from '../../src/services/evaluation/metrics.ts';
import { MODELS_FOLDER } from '../../src/services/models-folder.ts';
import { formatAddress } from '../../src/shared/address.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { MAX_RERANKED } from '../../src/shared/limits.ts';
import type { List } from '../lists/list.ts';
import { readLists } from '../lists/read.ts';
import { readRanker } from '../ranker/command.ts';
import { type Measured, type MeasuredList, measureOnce, type Row } from './measured.ts';
import { orderPartlyReranked, parseIdentity } from './orders.ts';

/** Number of candidates after which a list has only edited ones. */
const LISTED = 100;

const { values } = parseArgs({
  options: {
    lists: { type: 'string' },
    out: { type: 'string' },
    most: { type: 'string', default: String(MAX_RERANKED) },
  },
});
const { lists, out, most } = values;
if (!lists || !out) {
  console.error('usage: npm run -s lab -- read-lists --lists <folder> --out <folder> [--most 50]');
  process.exit(2);
}
mkdirSync(out, { recursive: true });
const { weights, deviations, version } = readRanker('reranked');
const weight =
  assertPresent(weights.coret, 'a weight') / assertPresent(deviations?.coret, 'a deviation');
const scorers = await openRerankers({ coret: join(MODELS_FOLDER, RERANKER_MODELS.coret) }, 'cpu');
for (const list of readLists(lists)) {
  if (list.candidates.length === 0) continue;
  const measured = await measureOnce(out, list.instance, () => measure(list));
  if (measured) console.error(list.instance);
}
await Promise.all(scorers.map((scorer) => scorer.close()));

async function measure(list: List): Promise<Measured> {
  const start = performance.now();
  const issue = readIssue(list.issue, getIssueSyntaxes(new Set(listLanguages(list))));
  const documents = list.candidates.slice(0, Number(most));
  const read = await scoreInOrder(scorers, issue, documents, { deadlineMs: null });
  const took = performance.now() - start;
  const addresses = makeAddresses(list);
  const edited = list.candidates.flatMap(({ isEdited }, i) =>
    isEdited ? [assertPresent(addresses[i], 'an address')] : [],
  );
  const missing = Array.from({ length: list.edited - edited.length }, (_, i) => `?::${i}`);
  const rows = assertPresent(read.values[0], 'what was read').map((value, i): Row => {
    const { score, isEdited } = assertPresent(list.candidates[i], 'a candidate');
    const contribution = weight * value;
    return {
      rank: i + 1,
      address: assertPresent(addresses[i], 'an address'),
      edited: isEdited,
      read: true,
      score: score + contribution,
      evidence: { coret: { value, contribution, sentence: null } },
    };
  });
  const made = (order: string[], those: Row[], milliseconds: number): MeasuredList => ({
    system: `lists, reranked ${version}`,
    ranks: computeRanks([...edited, ...missing].map(parseIdentity), order.map(parseIdentity)),
    read: those.length,
    milliseconds: { search: milliseconds, reading: milliseconds },
    confidence: null,
    order,
    rows: those,
  });
  const first = made(addresses.slice(0, LISTED), [], 0);
  const rerankedList = made(
    orderPartlyReranked({ first, reranked: { ...first, rows } }, rows.length),
    rows,
    took,
  );
  return {
    instance: list.instance,
    repo: list.repo,
    chunks: list.considered,
    edited: [...edited, ...missing],
    seconds: { index: 0 },
    first,
    reranked: rerankedList,
  };
}

/** Returns an address for each candidate. Redefinitions get a number in list order, which metrics ignore. */
function makeAddresses({ candidates }: List): string[] {
  const seen = new Map<string, number>();
  return candidates.map(({ path, name }) => {
    const key = `${path}::${name}`;
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return formatAddress({ path, qualifiedName: name, ordinal });
  });
}

function listLanguages({ candidates }: List): string[] {
  return candidates.map(({ language }) => language);
}
