/** The scorers of the second step, each with the model that its weight was fitted with. */
import refinedRanker from '../../../../models/ranker-1/refined.json' with { type: 'json' };
import type { Device } from '../../../shared/devices.ts';
import { createEncoder } from '../../encode/encoder.ts';
import { loadManifest } from '../../encode/manifest.ts';
import { OnDemandEncoder } from '../../encode/on-demand.ts';
import { modelKey } from '../../snapshot/encoder-document.ts';
import type { Evident } from '../signals/signal.ts';
import { CORET, DualEncoder } from './dual-encoder.ts';
import type { Scorer } from './scorer.ts';

/** The signals that scorers give values to. */
export const READ_SIGNALS: readonly Evident[] = [CORET];

/** The id of the model of each scorer, by its signal's name. */
export const READ_MODELS = refinedRanker.models;

/** Where the models of the scorers are, by name of the signal; those that are missing are left out. */
export type ReadModelFolders = { [Name in keyof typeof READ_MODELS]?: string };

/**
 * The scorers that there are models for. The models themselves are loaded when they are first needed.
 * @param device where they run; `auto` is the CPU
 * @throws LocusError `bad-model` when a folder holds no usable model
 */
export async function scorersOf(folders: ReadModelFolders, device: Device): Promise<Scorer[]> {
  const modelFolder = folders.coret;
  if (modelFolder === undefined) return [];
  const { id, version, dimensions } = await loadManifest(modelFolder);
  // To try what other devices there are takes longer than a reading on the CPU.
  const used = device === 'auto' ? 'cpu' : device;
  const encoder = new OnDemandEncoder(() => createEncoder({ modelFolder, device: used }));
  const rows = { key: modelKey(id, version), dimensions };
  return [new DualEncoder(`${id} ${version}`, rows, encoder)];
}
