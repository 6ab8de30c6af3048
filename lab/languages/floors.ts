/**
 * Prints the results of `floor` for several languages in one table, and the difference between Locus and BM25F over all
 * of them: `npm run -s lab -- floors java.samples go.samples ...`
 *
 * Each file was written by `--samples` and is named after its language. Texts that people wrote and texts that a language
 * model rewrote have separate tables. Differences are between results for the same issue, with a paired bootstrap interval
 * and the p-value of a randomization test (docs/explanation/evaluation.md).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { deserialize } from 'node:v8';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import type { Metric } from '../../src/services/evaluation/metrics.ts';
import { runRandomizationTest } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { formatWithInterval, isRewritten, type Measured, SHOWN } from './measured.ts';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: npm run -s lab -- floors <language>.samples ...');
  process.exit(2);
}
const languages = files.map((file) => ({
  name: basename(file, '.samples'),
  issues: deserialize(readFileSync(file)) as Measured[],
}));

print('As people wrote them', (one) => !isRewritten(one));
print('Rewritten', isRewritten);

function print(title: string, counts: (one: Measured) => boolean): void {
  const counted = languages
    .map(({ name, issues }) => ({ name, issues: issues.filter(counts) }))
    .filter(({ issues }) => issues.length > 0);
  const all = { name: 'all', issues: counted.flatMap(({ issues }) => issues) };
  const rows = [...counted, all].flatMap(({ name, issues }) =>
    Object.keys(assertPresent(issues[0], 'an issue').ranks).map((system, i) => [
      i === 0 ? `${name}: ${issues.length} of ${countRepositories(issues)} repositories` : '',
      system,
      ...SHOWN.map((metric) => formatWithInterval(listValues(issues, system, metric))),
    ]),
  );
  console.log(`\n${title}\n`);
  console.log(formatMarkdownTable(['', '', ...SHOWN.map(({ name }) => name)], rows).join('\n'));
  console.log('\nLocus less BM25F alone, over all of these:');
  for (const metric of SHOWN) {
    const words = listValues(all.issues, 'BM25F alone', metric);
    const differences = listValues(all.issues, 'Locus', metric).map(
      (value, i) => value - assertPresent(words[i], 'a value'),
    );
    const p = runRandomizationTest(differences);
    console.log(`- ${metric.name}: ${formatWithInterval(differences)}, p ${p.toFixed(4)}`);
  }
}

function listValues(issues: readonly Measured[], system: string, metric: Metric): number[] {
  return issues.map(({ ranks }) => metric.of(assertPresent(ranks[system], 'a system')));
}

function countRepositories(issues: readonly Measured[]): number {
  return new Set(issues.map(({ repo }) => repo)).size;
}
