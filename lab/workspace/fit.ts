/** Fits a conditional logit model of which repository an issue is about. */
import { mean } from '../../src/services/evaluation/statistics.ts';
import { at } from '../ranker/at.ts';
import type { Trial } from './collect.ts';
import { type AllTraits, computeTraits, type TraitName } from './traits.ts';

const STEPS = 300;
const RATE = 0.5;
/** Factor of the squared weights in the loss, for traits of unit deviation. */
const PENALTY = 0.01;

export type Weights = Partial<AllTraits>;

/** Repositories of an issue as choices, with its own as the right one. */
interface Choice {
  rows: Float64Array[];
  own: number;
}

/**
 * Fits the weights of traits.
 * @param names names of the traits to use
 */
export function fitWeights(trials: readonly Trial[], names: readonly TraitName[]): Weights {
  const choices = trials.map((trial) => makeChoice(trial, names));
  const deviations = names.map((_, f) => deviationWithin(choices, f));
  for (const { rows } of choices)
    for (const row of rows) for (const f of names.keys()) row[f] = at(row, f) / at(deviations, f);
  const weights = new Float64Array(names.length);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight) => 2 * PENALTY * weight);
    for (const { rows, own } of choices) {
      for (const [r, chance] of softmaxRows(rows, weights).entries()) {
        const error = (chance - Number(r === own)) / choices.length;
        for (const f of names.keys()) gradient[f] = at(gradient, f) + error * at(at(rows, r), f);
      }
    }
    for (const f of names.keys()) weights[f] = at(weights, f) - RATE * at(gradient, f);
  }
  return Object.fromEntries(
    names.map((name, f) => [name, Number((at(weights, f) / at(deviations, f)).toPrecision(4))]),
  );
}

/** Returns the chance of each repository of a trial, in their order. */
export function computeChances(trial: Trial, weights: Weights): number[] {
  const names = Object.keys(weights) as TraitName[];
  const values = Float64Array.from(names, (name) => weights[name] ?? 0);
  const traits = computeTraits(trial);
  const kept = [...traits.keys()].filter((r) => traits[r] !== null);
  const chances = softmaxRows(makeChoice(trial, names).rows, values);
  return traits.map((_, r) => chances[kept.indexOf(r)] ?? 0);
}

/** Returns the chances for each trial, by weights that were fitted on the issues of the other repositories. */
export function heldOutChances(trials: readonly Trial[], names: readonly TraitName[]): number[][] {
  const repos = [...new Set(trials.map(({ repo }) => repo))];
  const without = (repo: string) => trials.filter((other) => other.repo !== repo);
  const by = new Map(repos.map((repo) => [repo, fitWeights(without(repo), names)]));
  return trials.map((trial) => computeChances(trial, by.get(trial.repo) ?? {}));
}

function makeChoice(trial: Trial, names: readonly TraitName[]): Choice {
  const traits = computeTraits(trial);
  const repos = Object.keys(trial.standings);
  const kept = [...traits.keys()].filter((r) => traits[r] !== null);
  return {
    rows: kept.map((r) => Float64Array.from(names, (name) => traits[r]?.[name] ?? 0)),
    own: kept.findIndex((r) => repos[r] === trial.repo),
  };
}

function softmaxRows(rows: readonly Float64Array[], weights: Float64Array): number[] {
  const sums = rows.map((row) => row.reduce((sum, value, f) => sum + value * at(weights, f), 0));
  const best = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - best));
  const all = odds.reduce((a, b) => a + b, 0);
  return odds.map((own) => own / all);
}

/** Returns the standard deviation of a trait from its mean within a choice. */
function deviationWithin(choices: readonly Choice[], f: number): number {
  const squares = choices.flatMap(({ rows }) => {
    const middle = mean(rows.map((row) => at(row, f)));
    return rows.map((row) => (at(row, f) - middle) ** 2);
  });
  return Math.sqrt(mean(squares)) || 1;
}
