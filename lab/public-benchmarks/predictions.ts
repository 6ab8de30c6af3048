/** Scores published predictions of LocAgent on the instances, and by the truth, of a report or data set of Locus. */
import { z } from 'zod';
import { type EvaluationInstance, parseJsonLines } from '../../src/services/evaluation/dataset.ts';
import { findEditedFiles } from '../../src/services/evaluation/edited-files.ts';
import type { InstanceOutcome } from '../../src/services/evaluation/evaluate.ts';
import { computeRanks, type LevelRanks } from '../../src/services/evaluation/metrics.ts';
import { splitAddress } from '../../src/shared/address.ts';

const prediction = z.object({
  instance_id: z.string(),
  /** Paths, best first. */
  found_files: z.array(z.string()),
  /** Functions and classes as `path:Class.method`, best first. */
  found_entities: z.array(z.string()),
});
export type Prediction = z.output<typeof prediction>;

/** Reads predictions in LocAgent's form (`loc_outputs.jsonl`), by instance. */
export function readPredictions(text: string, name: string): Map<string, Prediction> {
  const remedy = 'Give JSON Lines with instance_id, found_files and found_entities.';
  const rows = [...parseJsonLines(text, name, prediction, remedy)];
  return new Map(rows.map((row) => [row.instance_id, row]));
}

/** Ranks the edited files of an instance. Null if its patch edits no file that counts. */
export function rankPredictedFiles(
  { patch }: Pick<EvaluationInstance, 'patch'>,
  found: Prediction | undefined,
): (number | null)[] | null {
  const { paths } = findEditedFiles(patch);
  if (paths.length === 0) return null;
  const files = [...new Set(found?.found_files)];
  return paths.map((path) => toRank(files.indexOf(path)));
}

/** Ranks the edited chunks, classes and files of an issue by the truth of a report of `locus eval --json`. */
export function rankPredictedChunks(
  { edited }: Pick<InstanceOutcome, 'edited'>,
  found: Prediction | undefined,
): LevelRanks {
  const entities = (found?.found_entities ?? []).map((entity) => {
    const at = entity.indexOf(':');
    return toIdentity(entity.slice(0, at), entity.slice(at + 1));
  });
  const truth = edited.map((address) => {
    const { path, name } = splitAddress(address);
    return toIdentity(path, name);
  });
  return computeRanks(truth, entities);
}

function toIdentity(path: string, qualifiedName: string) {
  return { path, qualifiedName, address: `${path}::${qualifiedName}` };
}

const toRank = (index: number): number | null => (index < 0 ? null : index + 1);
