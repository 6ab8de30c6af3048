/** Inspects and tries models of other publishers before they are added. */
import { hash } from 'node:crypto';
import { createTextQuery } from '../issue/queries.ts';
import { createEncoder } from './encoder.ts';
import { TEXT_INPUTS } from './kinds/pooling.ts';
import { loadManifest, type ModelManifest, verifyModel } from './manifest.ts';
import { badModel, ModelFiles } from './model-files.ts';
import { findForbiddenContent } from './onnx-check.ts';
import { type OnnxInterface, readInterface } from './onnx-interface.ts';

export interface InspectedFile extends OnnxInterface {
  sha256: string;
  bytes: number;
}

/**
 * Checks an ONNX file in `folder`, and returns what it takes and returns.
 * @throws LocusError `bad-model` for content that Locus refuses, or an input that it cannot give
 */
export async function inspectOnnx(folder: string, name: string): Promise<InspectedFile> {
  const files = new ModelFiles(folder, { sha256: {} });
  const bytes = await files.readOnnx(name);
  const forbidden = findForbiddenContent(bytes, []);
  if (forbidden !== null) throw badModel(`${files.path(name)} cannot be used: ${forbidden}.`);
  const found = readInterface(bytes);
  const unknown = found.inputs.find((input) => !TEXT_INPUTS.includes(input.name));
  if (unknown || found.inputs.length === 0)
    throw badModel(
      `${files.path(name)} ${unknown ? `needs the input ${unknown.name.slice(0, 100)}` : 'has no inputs'}. Export it without a cache of earlier tokens.`,
    );
  return { ...found, sha256: hash('sha256', bytes), bytes: bytes.length };
}

const DOCUMENT = {
  path: 'src/cookies.py',
  text: 'def parse_cookie(header):\n    return dict(part.split("=") for part in header.split(";"))',
  signatureEnd: 25,
  doc: null,
  callees: [],
};

/**
 * Compares the files of a model with its manifest, and runs it once on the CPU.
 * @throws LocusError `bad-model` or `device` if it cannot be used
 */
export async function tryModel(folder: string): Promise<ModelManifest> {
  await verifyModel(folder);
  const manifest = await loadManifest(folder);
  const encoder = await createEncoder({ modelFolder: folder, manifest, device: 'cpu' });
  try {
    const query = createTextQuery('Cookies with an equals sign are cut off');
    const numbers =
      manifest.kind === 'pair'
        ? [await encoder.score(query, DOCUMENT)]
        : [...(await encoder.encodeQuery(query)), ...(await embed(encoder))];
    if (numbers.every(Number.isFinite) && numbers.some((number) => number !== 0)) return manifest;
    throw badModel(`The results of the model in ${folder} are not numbers.`);
  } finally {
    await encoder.close();
  }
}

async function embed(encoder: Awaited<ReturnType<typeof createEncoder>>): Promise<Float32Array> {
  using prepared = await encoder.prepare([DOCUMENT]);
  const [vector = new Float32Array()] = await prepared.embed([0]);
  return vector;
}
