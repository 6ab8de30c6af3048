/**
 * `locus` with embeddings of chunks rounded to eight bits, with one scale for all or a scale for each row:
 *
 *     node lab/bench/bits.ts all|row eval --dataset issues.jsonl --repos ~/clones --fast --json > eight.json
 *     locus eval --compare sixteen.json eight.json
 *
 * What is stored stays as it is.
 */
import { SCALE } from '../../src/engine/vectors/fixed-point.ts';
import { VectorTable } from '../../src/engine/vectors/vector-table.ts';

const MOST = 127;
/** With one scale for all, a number is at most this. */
const RANGE = 0.5 * SCALE;

const [how] = process.argv.splice(2, 1);
if (how !== 'all' && how !== 'row') throw new Error('usage: bits.ts all|row <locus command>');
const { setFixedPoint } = VectorTable.prototype;
VectorTable.prototype.setFixedPoint = function (slot, vector) {
  const range = how === 'all' ? RANGE : vector.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
  const rounded = vector.map((x) => {
    const steps = Math.max(-MOST, Math.min(MOST, Math.round((x / range) * MOST)));
    return Math.round((steps / MOST) * range);
  });
  setFixedPoint.call(this, slot, rounded);
};
await import('../../src/cli/locus.ts');
