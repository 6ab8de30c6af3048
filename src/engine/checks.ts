/**
 * Checks of the engine's parts, for `locus doctor`. Each part is loaded and used separately, so that a broken one doesn't hide the
 * others.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  type Check,
  type Finding,
  findPackageVersion,
  ok,
  problem,
  REINSTALL_REMEDY,
  runCheck,
  warning,
} from '../base/checks.ts';
import { DEVICES, type DeviceName } from '../shared/devices.ts';
import type { ModelRole } from './encode/manifest.ts';
import { describeBuild, findBuildRemedy, findMissingBuild } from './encode/runtime-builds.ts';
import { createTextQuery } from './issue/queries.ts';
import type { RerankerFolders } from './search/rerank/models.ts';

/** Parses an example of each language. The queries are not compiled, since tests check them. */
export async function checkParsers(): Promise<Finding> {
  const { getLanguages } = await import('./languages/index.ts');
  const { getCollectedVersion } = await import('./languages/collected-grammars.ts');
  const { locateGrammar } = await import('./parse/grammar-file.ts');
  const { loadGrammar } = await import('./parse/grammar.ts');
  const grammars: string[] = [];
  for (const language of getLanguages()) {
    // Those of users have no example.
    if (language.content) continue;
    const { title, grammar, example } = language;
    const { rootNode } = (await loadGrammar(language)).parse(example.text);
    if (rootNode.hasError)
      return problem(`The ${title} parser finds an error in its example.`, REINSTALL_REMEDY);
    const located = locateGrammar({ grammar });
    const name = located?.name ?? basename(grammar, '.wasm');
    const version = getCollectedVersion(name) ?? (located && (await findPackageVersion(name)));
    grammars.push([title, 'grammar', version].filter(Boolean).join(' '));
  }
  return ok([await findPackageVersion('web-tree-sitter'), ...grammars].join(', '));
}

/** Finds the nearer one of two vectors. */
export async function checkVectors(): Promise<Finding> {
  const { VectorTable } = await import('./vectors/vector-table.ts');
  const table = new VectorTable(2);
  table.set(0, Float32Array.of(0, 1));
  table.set(1, Float32Array.of(1, 0));
  return table.findNearest(Float32Array.of(0.8, 0.6), 1).slots[0] === 1
    ? ok('exact, WebAssembly SIMD')
    : problem('It finds the wrong neighbor.', REINSTALL_REMEDY);
}

/** Remedy for a damaged model. */
export const RESTORE_REMEDY = 'Restore the model folder from the release.';

/** Names of a model's role for people. */
export const ROLE_NAMES: Readonly<Record<ModelRole, string>> = {
  encode: 'encoder',
  rerank: 'reranker',
};

/** Compares the files of each model with its manifest. */
export async function checkModels(modelsFolder: string): Promise<Check[]> {
  const { listModels, verifyModel } = await import('./encode/manifest.ts');
  let models: Awaited<ReturnType<typeof listModels>>;
  try {
    models = await listModels(modelsFolder);
  } catch (error) {
    return [{ name: 'models', ...problem((error as Error).message, RESTORE_REMEDY) }];
  }
  if (models.length === 0)
    return [
      { name: 'models', ...problem(`There is no model in ${modelsFolder}.`, RESTORE_REMEDY) },
    ];
  return Promise.all(
    models.map(({ folder }) =>
      runCheck(`model ${folder.slice(modelsFolder.length + 1)}`, RESTORE_REMEDY, async () => {
        const { version, kind, role, dimensions } = await verifyModel(folder);
        return ok(
          `version ${version}, ${ROLE_NAMES[role]}, ${kind}, ${dimensions} dimensions, files intact`,
        );
      }),
    ),
  );
}

const SAMPLE = {
  path: 'cookies.py',
  text: 'def parse(header): return header.split(";")',
  signatureEnd: 18,
  doc: null,
  callees: [],
};

/** Tries the model that reranks on a sentence. */
export async function checkRerankers({ coret, reranker }: RerankerFolders): Promise<Finding> {
  const modelFolder = reranker ?? coret;
  if (modelFolder === undefined) return ok('no reranker installed');
  const missing = findMissingBuild();
  if (missing) return warning(missing.message, missing.remedy);
  const { createEncoder } = await import('./encode/encoder.ts');
  const { loadManifest } = await import('./encode/manifest.ts');
  const manifest = await loadManifest(modelFolder);
  const encoder = await createEncoder({ modelFolder, manifest, device: 'cpu' });
  const query = createTextQuery('Where is a cookie parsed?');
  try {
    if (manifest.kind === 'pair') await encoder.score(query, SAMPLE);
    else await encoder.encodeQuery(query);
    const { modelId, modelVersion } = encoder;
    return ok(`${modelId} ${modelVersion} reranks the first results`);
  } finally {
    await encoder.close();
  }
}

/** Encodes a sentence on every device that this build of onnxruntime has. */
export async function checkDevices(modelsFolder: string): Promise<Check[]> {
  const missing = findMissingBuild();
  if (missing) return [{ name: 'onnxruntime', ...warning(missing.message, missing.remedy) }];
  let version: string;
  let devices: DeviceName[];
  try {
    const { listSupportedBackends } = await import('./encode/onnxruntime.ts');
    version = await findPackageVersion('onnxruntime-node');
    devices = listSupportedBackends().flatMap(({ name }) =>
      DEVICES.filter((device) => device === name),
    );
  } catch (error) {
    const remedy = findBuildRemedy() ?? REINSTALL_REMEDY;
    return [{ name: 'onnxruntime', ...problem((error as Error).message, remedy) }];
  }
  const checks: Check[] = [{ name: 'onnxruntime', ...ok(describeBuild(version, devices)) }];
  const { listModels } = await import('./encode/manifest.ts');
  const model = (await listModels(modelsFolder).catch(() => [])).find(
    (listed) => 'manifest' in listed,
  );
  if (!model) return checks;
  for (const device of devices) {
    checks.push(
      await runCheck(`device ${device}`, REINSTALL_REMEDY, () => checkDevice(device, model.folder)),
    );
  }
  return checks;
}

async function checkDevice(device: DeviceName, modelFolder: string): Promise<Finding> {
  const { tryDevice } = await import('./encode/device-trial.ts');
  const trial = await tryDevice(device, modelFolder);
  const { length, modelId, fallback } = trial;
  if (Math.abs(length - 1) > 1e-2)
    return problem(
      `It computes an embedding of length ${length} instead of 1.`,
      'Use --device cpu.',
    );
  if (trial.device === device) return ok(`works with ${modelId}`);
  return warning(
    // The name of the check has the device already.
    `${fallback}`.replace(`${device} `, ''),
    'If this machine has such a device, install its driver. Until then, the CPU is used.',
  );
}

/** Writes a file in a watched folder and waits until the watcher reports it. */
export async function checkWatcher(): Promise<Finding> {
  const { watchTree } = await import('./source/watch.ts');
  const folder = await mkdtemp(join(tmpdir(), 'locus-doctor-'));
  const ending = new AbortController();
  const errors: string[] = [];
  const patience = AbortSignal.timeout(5000);
  try {
    const noticed = new Promise<boolean>((resolve) => {
      patience.addEventListener('abort', () => resolve(false));
      const watching = watchTree(folder, {
        accepts: () => true,
        signal: ending.signal,
        onChange: () => resolve(true),
        onHealth: ({ failure, warning }) => {
          for (const error of [failure, warning]) if (error) errors.push(error.message);
        },
        onReady: () => void writeFile(join(folder, 'changed.py'), 'x = 1\n'),
      });
      watching.catch((error: Error) => {
        errors.push(error.message);
        resolve(false);
      });
    });
    if (await noticed)
      return errors.length === 0
        ? ok('notices changes')
        : warning(errors.join(' '), 'Nothing to do.');
    return problem(
      errors.join(' ') || 'A change was not noticed within 5 s.',
      'On Linux, raise fs.inotify.max_user_watches. Until then, run locus index after changes.',
    );
  } finally {
    ending.abort();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Verifies the database of a repository's index without writing to it.
 * @param directory folder of the index.
 */
export async function checkIndex(root: string, directory: string): Promise<Finding> {
  const path = join(directory, 'index.db');
  if (!existsSync(path)) return warning(`${root} is not indexed.`, `Run locus index ${root}.`);
  const { openReadOnly } = await import('../base/sqlite.ts');
  try {
    const database = openReadOnly(path);
    try {
      const [{ countMissingEmbeddings, verifyAll }, { SCHEMA_VERSION }] = await Promise.all([
        import('./store/verify-all.ts'),
        import('./store/schema.ts'),
      ]);
      const version = database.pragma('user_version', { simple: true }) as number;
      if (version > SCHEMA_VERSION)
        return problem(`${path} was written by a newer version of Locus.`, 'Update Locus.');
      if (version === SCHEMA_VERSION) {
        verifyAll(database);
        const missing = countMissingEmbeddings(database, directory);
        if (missing > 0)
          return warning(
            `Embeddings that are missing or damaged in ${directory}: ${missing}.`,
            `Run locus index ${root} to encode them again.`,
          );
      }
      const chunks = database.prepare('SELECT total(count) FROM file_versions').pluck().get();
      return ok(`${path} is intact, ${chunks} functions in all versions`);
    } finally {
      database.close();
    }
  } catch (error) {
    return problem(`${path}: ${(error as Error).message}`, describeRebuild(directory, root));
  }
}

const describeRebuild = (directory: string, root: string) =>
  `Run locus index ${root}, which moves the damaged file away and rebuilds the index. Or delete ${directory}, which holds only the index.`;
