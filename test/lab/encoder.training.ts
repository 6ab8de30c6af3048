/*
 * Trains a small bag encoder from mined data to a model folder that the engine loads. `scripts/python.ts` finds or
 * makes the Python that it needs.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { findPython } from '../../scripts/python.ts';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { verifyModel } from '../../src/engine/encode/manifest.ts';
import { queryOf } from '../../src/engine/issue/queries.ts';
import { issueSyntaxes } from '../../src/engine/languages/index.ts';
import { mined, REPOSITORIES } from './toy-data.ts';

const SCRIPTS = join(import.meta.dirname, '../../lab/encoder');

/** A Python that can train and a folder that goes with the test. */
async function trainingPlace(t: TestContext): Promise<{ python: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'locus-training-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return { python: findPython(), folder };
}

test('an encoder is prepared for, trained, resumed, measured, exported, and loaded', async (t) => {
  const place = await trainingPlace(t);
  const { folder } = place;
  const at = (name: string) => join(folder, name);
  const python = async (script: string, ...args: string[]) => {
    const { stdout } = await promisify(execFile)(place.python, [join(SCRIPTS, script), ...args]);
    return stdout;
  };
  await mkdir(at('data'));
  for (const [i, repo] of REPOSITORIES.entries()) {
    await writeFile(join(at('data'), `${repo}.zst`), mined(repo, i));
  }
  await python('prepare.py', '--data', at('data'), '--out', at('prepared'));

  const settings = ['--dimensions', '32', '--words', '120', '--word-buckets', '64'];
  settings.push('--pair-buckets', '64', '--spread', '2', '--commits', '16', '--rate', '0.02');
  const train = (steps: number) =>
    python(
      'train.py',
      '--prepared',
      at('prepared'),
      '--run',
      at('run'),
      '--steps',
      String(steps),
      ...settings,
    );
  const mrr = async (of = ['--run', at('run')]) => {
    const printed = await python('evaluate.py', ...of, '--prepared', at('prepared'));
    return Number(/^all commits.*'MRR': ([\d.]+)/m.exec(printed)?.[1]);
  };
  await train(1);
  const before = await mrr();
  assert.match(await train(200), /goes on after step 1\n/);
  const after = await mrr();
  t.diagnostic(`MRR on a repository that was held out: ${before} before, ${after} after`);
  assert.ok(after > before + 0.1 && after > 0.4, `MRR ${before}, then ${after}`);

  const model = at('toy');
  await python(
    'export.py',
    '--run',
    at('run'),
    '--out',
    model,
    '--id',
    'toy',
    '--version',
    '1.0.0',
    '--fixture',
    at('fixture.json'),
  );
  // Buckets have other random vectors there, of which a vocabulary of 120 words has many.
  const exported = await mrr(['--model', model]);
  assert.ok(exported > before + 0.1, `MRR ${before} untrained, ${exported} as exported`);
  const manifest = await verifyModel(model);
  const { documents, issues } = JSON.parse(await readFile(at('fixture.json'), 'utf8'));
  const inputs = await createInputs(model, manifest);
  assert.equal(inputs.query(queryOf(issues[1].issue)).inputIds.length, issues[1].tokens.length);
  const encoder = await createEncoder({ modelFolder: model, device: 'cpu' });
  try {
    const { keys, vectors } = await encoder.encode([documents[0].document], () => [false]);
    const [vector] = keys.map((key) => vectors.get(key)!);
    const cosine = vector.reduce((sum, x, i) => sum + x * documents[0].embedding[i], 0);
    assert.ok(cosine > 0.999, `cosine ${cosine}`);
  } finally {
    await encoder.close();
  }
});

test('repositories that evaluation uses are refused', async (t) => {
  const place = await trainingPlace(t);
  const { folder } = place;
  await writeFile(join(folder, 'psf+requests.zst'), mined('psf+requests', 0));
  const script = join(SCRIPTS, 'prepare.py');
  await assert.rejects(
    promisify(execFile)(place.python, [script, '--data', folder, '--out', join(folder, 'out')]),
    /only for what is train or tune.*psf\+requests \(never\)/,
  );
});

/** Files of the languages, and what their runtimes call what they know of a file. */
const FAILING = {
  'core/src/main/java/shop/Cart.java': 'Cart.java',
  'core/src/main/kotlin/shop/Cart.kt': 'Cart.kt',
  'src/cart.ts': 'src/cart.ts',
  'cart/cart.go': 'cart/cart.go',
  'src/cart.rs': 'src/cart.rs',
  'Shop/Cart.cs': 'Shop/Cart.cs',
  'lib/cart.rb': 'lib/cart.rb',
  'src/Cart.php': 'src/Cart.php',
  'src/cart.c': 'src/cart.c',
};

test('what a runtime prints when something fails is made up so that a search finds its frames', async (t) => {
  const { python } = await trainingPlace(t);
  const script = `
import json, random, sys
from traces import runtime_of
rng = random.Random(1)
made = {path: runtime_of(path).trace([(path, "Cart.total")] * 2, rng) for path in json.loads(sys.argv[1])}
print(json.dumps(made), runtime_of("cart.py"), runtime_of("README"))`;
  const args = ['-c', script, JSON.stringify(Object.keys(FAILING))];
  const env = { ...process.env, PYTHONPATH: SCRIPTS, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await promisify(execFile)(python, args, { env });
  assert.match(stdout, / None None\s*$/);
  const made: Record<string, string[]> = JSON.parse(stdout.slice(0, stdout.lastIndexOf('}') + 1));
  for (const [path, known] of Object.entries(FAILING)) {
    const text = made[path]?.join('\n') ?? '';
    const frames = issueSyntaxes().flatMap((syntax) =>
      syntax.frames.flatMap((form) =>
        Array.from(
          text.matchAll(form),
          ({ groups = {} }) => syntax.frameOf?.(groups)?.path ?? groups.path ?? '',
        ),
      ),
    );
    assert.ok(frames.filter((frame) => frame.endsWith(known)).length >= 2, `${path}: ${text}`);
  }
});
