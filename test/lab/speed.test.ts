/* Tests `npm run lab -- bench`: its table, what it reads of other programs, and the repository that it makes. */
import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FIGURES, type Figure } from '../../lab/speed/figures.ts';
import { describeRepository } from '../../lab/speed/folders.ts';
import { LOCUS_RUNS } from '../../lab/speed/locus-runs.ts';
import { PEER_RUNS } from '../../lab/speed/peer-runs.ts';
import { compare, formatReport } from '../../lab/speed/report.ts';
import type { Bench, Missing } from '../../lab/speed/run.ts';
import { makeSmallRepository } from '../../lab/speed/small-repository.ts';
import { readTimes } from '../../lab/speed/timed.ts';
import { ensureProgram } from '../../scripts/debian.ts';
import { git, removeFolder, temporaryFolder } from '../support/repository.ts';

/** Newest commit of the repository, which depends on all of it. */
const COMMIT = '0440dda0013b0619767bfabedfa42c598226c3da';

const INDEXED: Figure = {
  name: 'indexed',
  of: 'index.wall',
  unit: 's',
  limit: 10,
  peers: [
    { name: 'parsing', of: 'parse.wall', most: 3 },
    { name: 'ctags', of: 'ctags.wall' },
  ],
};
const PARSED = { parse: [{ wall: 4 }, { wall: 2 }, { wall: 3 }], ctags: [{ wall: 0.5 }] };

const samplesOf = (samples: Record<string, (Record<string, number> | Missing)[]>) =>
  new Map(Object.entries(samples));
const walls = (...times: number[]) => times.map((wall) => ({ wall }));

describe('the table', () => {
  it('has medians, and ratios of the same rounds', () => {
    const samples = samplesOf({ index: walls(8, 8, 9), ...PARSED });
    const [figure] = compare([INDEXED], samples);
    assert.equal(figure?.median, 8);
    assert.deepEqual(
      figure?.compared.map((each) => [each.with, each.value, each.ratio, each.isOver]),
      [
        ['limit', 10, 0.8, false],
        ['parsing', 3, 3, false],
        ['ctags', 0.5, 16, false],
      ],
    );
  });

  it('marks what is over its limit or its largest ratio', () => {
    const [figure] = compare([INDEXED], samplesOf({ index: walls(12, 12, 12), ...PARSED }));
    assert.deepEqual(
      figure?.compared.map(({ isOver }) => isOver),
      [true, true, false],
    );
    const lines = formatReport(figure ? [figure] : []);
    assert.match(lines[2] ?? '', /indexed .*12\.00 s .*limit .*10\.00 s .*1\.20 × .*over/);
    assert.match(lines[3] ?? '', /parsing .*3\.00 s .*4\.00 × .*over 3 ×/);
    assert.match(lines[4] ?? '', /ctags .*0\.500 s .*24 ×/);
  });

  it('compares versions that took turns, and gives the reason for what is missing', () => {
    const missing = { missing: 'not installed: apt-get install universal-ctags' };
    const own = samplesOf({ index: walls(4, 6), parse: walls(1, 1), ctags: [missing, missing] });
    const other = { name: 'before', samples: samplesOf({ index: walls(8, 8) }) };
    const [figure] = compare([INDEXED], own, other);
    const before = figure?.compared.find((each) => each.with === 'before');
    assert.deepEqual([before?.value, before?.ratio], [8, 0.625]);
    assert.match(formatReport(figure ? [figure] : []).join('\n'), /not installed: apt-get/);
    const [unmeasured] = compare([INDEXED], samplesOf({ index: [missing], ...PARSED }));
    assert.deepEqual([unmeasured?.note, unmeasured?.compared], [missing.missing, []]);
  });

  it('has only figures that a run measures', () => {
    const runs = new Set([...LOCUS_RUNS, ...PEER_RUNS].map(({ id }) => id));
    const read = FIGURES.flatMap(({ of, peers }) => [of, ...peers.map((peer) => peer.of)]);
    assert.deepEqual(
      read.filter((value) => !runs.has(value.split('.')[0] ?? '')),
      [],
    );
  });
});

it('times of commands are read as GNU and as macOS write them', () => {
  const gnu =
    '\tUser time (seconds): 1.50\n\tSystem time (seconds): 0.25\n\tMaximum resident set size (kbytes): 2048\n';
  const mac =
    '        0.61 real         1.50 user         0.25 sys\n             2097152  maximum resident set size\n';
  assert.deepEqual(readTimes(gnu), { cpu: 1.75, memory: 2 });
  assert.deepEqual(readTimes(mac), { cpu: 1.75, memory: 2 });
});

describe('the small repository', () => {
  let folder: string;
  let root: string;
  before(async () => {
    folder = temporaryFolder();
    root = await makeSmallRepository(join(folder, 'made'));
  });
  after(() => removeFolder(folder));

  it('has the size of a typical library, and is the same every time', () => {
    const files = globSync('**/*.rb', { cwd: root });
    const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
    assert.equal(files.length, 78);
    assert.ok(bytes > 280_000 && bytes < 340_000, `${bytes}`);
    assert.equal(git(root, 'rev-list', '--count', 'HEAD').trim(), '1351');
    assert.equal(git(root, 'grep', '-c', '^  def ').trim().split('\n').length, 78);
    assert.equal(git(root, 'rev-parse', 'HEAD').trim(), COMMIT);
  });

  const skip = process.platform === 'win32' && 'the bench needs the time of Unix';
  it('is searched for its own commits, and a missing program says how to install it', {
    skip,
  }, async () => {
    if (process.platform === 'linux') ensureProgram('time');
    const small = await describeRepository(root, folder);
    assert.deepEqual([small.files, small.queries.length], [78, 50]);
    const bench: Bench = { scratch: folder, small, large: small, ripgrep: 'rg', ctags: 'no-ctags' };
    const ctags = PEER_RUNS.find(({ id }) => id === 'ctags-small');
    assert.deepEqual(await ctags?.measure(bench), {
      missing: 'not installed: apt-get install universal-ctags',
    });
    const parse = PEER_RUNS.find(({ id }) => id === 'parse-small');
    const parsed = await parse?.measure(bench);
    assert.ok(parsed && 'cpu' in parsed && parsed.cpu > 0);
  });
});
