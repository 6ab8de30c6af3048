/* Tests `npm run lab -- bench-million`: the choice of measured folders, the table and the plot. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { drawPlot, findDecades } from '../../lab/million/plot.ts';
import { type IndexedFolder, type Point, reachesRung } from '../../lab/million/points.ts';
import { ResultFile } from '../../lab/million/result-file.ts';
import { formatTable, formatValue } from '../../lab/million/table.ts';

const LIMITS = { parsing: 4, parsingProcessor: 2, memory: 10, disk: 500 };

function folder(root: string, functions: number): IndexedFolder {
  return {
    root,
    files: 10,
    functions,
    chunks: functions * 2,
    megabytes: functions / 1000,
    seconds: functions / 500,
    processorSeconds: functions / 250,
    phases: {},
    peakMemory: functions / 10,
    database: functions / 100,
  };
}

function point(...functions: number[]): Point {
  return {
    folders: functions.map((count, i) => folder(`/src/${i}`, count)),
    first: { seconds: 2, processorSeconds: 3, chunks: 300 },
    open: {
      opened: 1,
      openedProcessor: 2,
      current: 4,
      search: [0.03, 0.01, 0.02],
      searchProcessor: 0.05,
      edit: 0.25,
      editProcessor: 0.5,
      idleMemory: 500,
      peakMemory: 700,
    },
  };
}

describe('the costs of many functions', () => {
  it('are measured when the folders so far first reach a rung', () => {
    const rungs = [10, 30, 100];
    assert.ok(!reachesRung([9], rungs));
    assert.ok(reachesRung([9, 1], rungs));
    assert.ok(!reachesRung([9, 1, 19], rungs));
    assert.ok(reachesRung([9, 91], rungs), 'two rungs at once are one point');
    assert.ok(!reachesRung([], rungs));
  });

  it('are in a table with a column for each point and the limits next to the costs', () => {
    const lines = formatTable([point(1000), point(1000, 2000)], LIMITS);
    const row = (start: string) => {
      const found = lines.find((line) => line.startsWith(`| ${start}`));
      return found
        ?.split('|')
        .slice(2, -1)
        .map((cell) => cell.trim());
    };
    assert.deepEqual(row('functions '), ['1,000', '3,000']);
    assert.deepEqual(row('repositories'), ['1', '2']);
    assert.deepEqual(row('functions indexed a second'), ['500', '500']);
    assert.deepEqual(row('Indexed: by the clock'), ['2 s', '6 s']);
    assert.deepEqual(row('Indexed: *parsing alone'), ['0.5 s', '1.5 s']);
    assert.deepEqual(row('Search: median'), ['20 ms', '20 ms']);
    assert.deepEqual(row('Memory: indexing, peak of a folder'), ['100 MB', '200 MB']);
  });

  it('are written with three significant digits', () => {
    assert.equal(formatValue(0.2345, 's'), '0.23 s');
    assert.equal(formatValue(1234.5, 'ms'), '1,235 ms');
    assert.equal(formatValue(12_345, 'ms'), '12 s');
    assert.equal(formatValue(20_480, 'MB'), '20 GB');
  });

  it('are drawn on logarithmic scales, in light and dark', () => {
    const curve = { name: 'a & b', ys: [1, 10, 100] };
    const svg = drawPlot(
      [1e3, 1e4, 1e5],
      [{ title: 'T', unit: 's', curves: [curve], goal: 3 }],
      'D',
    );
    const drawn = /<polyline points="([\d., ]+)"/.exec(svg)?.[1] ?? '';
    const [first, second, third] = drawn.split(' ').map((pair) => pair.split(',').map(Number));
    assert.ok(first && second && third);
    for (const i of [0, 1]) {
      const steps = [second[i]! - first[i]!, third[i]! - second[i]!];
      assert.ok(Math.abs(steps[0]! - steps[1]!) < 0.2, `${steps}`);
    }
    assert.match(svg, /prefers-color-scheme:dark/);
    assert.match(svg, />a &amp; b</);
    assert.match(svg, /goal 3</);
  });

  it('are left out of the plot unless above zero', () => {
    assert.deepEqual(findDecades([0, 5, Number.NaN, 2000]), { low: 0, high: 4 });
    assert.deepEqual(findDecades([]), { low: 0, high: 1 });
    const svg = drawPlot(
      [10, 100],
      [{ title: 'T', unit: 's', curves: [{ name: 'c', ys: [0, 1] }] }],
      'D',
    );
    assert.doesNotMatch(svg, /NaN|Infinity/);
  });

  it('are stored, so that they are not measured again', async () => {
    const place = mkdtempSync(join(tmpdir(), 'locus-kept-'));
    try {
      const path = join(place, 'measured.json');
      const key = '["/src/0"]';
      const made = { seconds: 1, processorSeconds: 1, chunks: 2 };
      const before = new ResultFile(path);
      await before.measureOnce(before.results.first, key, async () => made);
      const after = new ResultFile(path);
      const again = () => assert.fail('it was measured again');
      assert.deepEqual(await after.measureOnce(after.results.first, key, again), made);
      writeFileSync(path, '{"first": 3}');
      assert.throws(() => new ResultFile(path), { code: 'bad-input' });
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});
