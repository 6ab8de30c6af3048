/** Plans which files of an exported model to copy, and writes its manifest. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../base/json.ts';
import { inspectOnnx, MANIFEST_FILE } from '../../engine/index.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import { type ExportedModel, RECIPES, type Recipe } from './recipes.ts';
import type { ModelSource } from './source.ts';

export interface ModelPlan {
  id: string;
  /** Null for a model with a manifest of its own. */
  recipe: Recipe | null;
  license: string | null;
  /** Names of the files to copy, by their path in the source. */
  files: ReadonlyMap<string, string>;
  /** Size of these files in bytes. */
  bytes: number;
  /** Returns the manifest of the model, whose files are in `folder`. @throws LocusError `bad-input` or `bad-model` */
  describe(folder: string): Promise<Record<string, unknown>>;
}

const CONFIG_FILE = 'config.json';
const POOLING_FILE = '1_Pooling/config.json';
/** Name of its copy. */
const POOLING_COPY = 'pooling.json';
const TOKENIZER_FILE = 'tokenizer.json';
const ONNX_FILE = 'model.onnx';
/** Names of the file of an export that has all of its numbers as they were trained. */
const MAIN_FILES = ['model.onnx', 'onnx/model.onnx'];
const MAX_ONNX_BYTES = 2 ** 30;
const MAX_JSON_BYTES = 2 ** 20;
const MAX_JSON_DEPTH = 50;

interface PlanOptions {
  name: string | null;
  recipe: string | null;
  file: string | null;
  /** Name of the source, which may say which model it is. */
  sourceName: string;
}

/**
 * Plans what to copy. Small files are copied at once, to a new folder, and read there.
 * @throws LocusError `bad-input` if the source is no exported model, or of an unknown one; `cancelled`
 */
export async function planModel(
  source: ModelSource,
  options: PlanOptions,
  folder: string,
): Promise<ModelPlan> {
  const root = findRoot(source);
  const hasManifest = source.files.has(root + MANIFEST_FILE);
  const names = hasManifest ? [MANIFEST_FILE] : [CONFIG_FILE, POOLING_FILE];
  const small = new Map(
    names
      .filter((name) => source.files.has(root + name))
      .map((name) => [root + name, name === POOLING_FILE ? POOLING_COPY : name]),
  );
  for (const path of small.keys())
    if ((source.files.get(path) ?? 0) > MAX_JSON_BYTES)
      throw badInput(`${path} of the model is too large.`, 'Export the model again.');
  await source.copy(small, folder);
  return hasManifest
    ? planManifest(source, options, root, readJson(folder, MANIFEST_FILE))
    : planExport(source, options, root, {
        config: small.has(root + CONFIG_FILE) ? readJson(folder, CONFIG_FILE) : null,
        pooling: small.has(root + POOLING_FILE)
          ? readPooling(readJson(folder, POOLING_COPY))
          : null,
      });
}

/** Plans a model that has a manifest: it is copied with the files that it lists. */
function planManifest(
  source: ModelSource,
  { name }: PlanOptions,
  root: string,
  manifest: Record<string, unknown>,
): ModelPlan {
  const { tokenizer, files, license } = manifest as {
    tokenizer?: { file?: unknown };
    files?: { cpu?: unknown; gpu?: unknown };
    license?: unknown;
  };
  const listed = [tokenizer?.file, files?.cpu, files?.gpu].filter(isPlainName);
  const present = [...new Set(listed)].filter((file) => source.files.has(root + file));
  const id = name ?? String(manifest.id);
  return {
    id,
    recipe: null,
    license: typeof license === 'string' ? license : null,
    ...listFiles(source, new Map(present.map((file) => [root + file, file]))),
    describe: async () => ({ ...manifest, id }),
  };
}

const isPlainName = (name: unknown): name is string =>
  typeof name === 'string' && /^\w[\w.-]*$/.test(name) && name !== MANIFEST_FILE;

/** Plans a model as tools export it. */
function planExport(
  source: ModelSource,
  options: PlanOptions,
  root: string,
  read: Pick<ExportedModel, 'pooling'> & { config: ExportedModel['config'] | null },
): ModelPlan {
  const recipe = chooseRecipe(options.recipe, `${options.sourceName} ${root}`);
  const { config, pooling } = read;
  if (!config)
    throw badInput(`The model has no ${CONFIG_FILE}.`, 'Give the whole folder of the export.');
  const architecture = String(config.model_type).slice(0, 100);
  if (!recipe.architectures.includes(architecture))
    throw badInput(
      `${CONFIG_FILE} is that of a model of the type ${architecture}, but ${recipe.name} has the type ${recipe.architectures.join(' or ')}.`,
      'Choose another recipe with --recipe.',
    );
  const onnx = root + chooseOnnx(source, root, options.file);
  const tokenizer = root + TOKENIZER_FILE;
  const id = options.name ?? recipe.name;
  return {
    id,
    recipe,
    license: recipe.license,
    ...listFiles(
      source,
      new Map([
        [onnx, ONNX_FILE],
        [tokenizer, TOKENIZER_FILE],
      ]),
    ),
    describe: async (folder) => ({
      id,
      ...(await describeExport(recipe, { config, pooling }, folder)),
    }),
  };
}

function listFiles({ files }: ModelSource, names: ReadonlyMap<string, string>) {
  const sizes = [...names.keys()].map((path) => files.get(path) ?? 0);
  return { files: names, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

/** Returns the folder with the tokenizer or manifest that is the least deep. */
function findRoot({ files }: ModelSource): string {
  const found = [MANIFEST_FILE, TOKENIZER_FILE].flatMap((name) =>
    [...files.keys()].filter((path) => path === name || path.endsWith(`/${name}`)),
  );
  const [first] = found.toSorted((a, b) => a.split('/').length - b.split('/').length);
  if (first !== undefined) return first.slice(0, first.lastIndexOf('/') + 1);
  throw badInput(
    `The model has no ${TOKENIZER_FILE}.`,
    'Give the folder of an ONNX export, with its tokenizer.',
  );
}

const simplify = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function chooseRecipe(given: string | null, sourceName: string): Recipe {
  const known = RECIPES.map(({ name }) => name).join(', ');
  const found = RECIPES.find(({ name }) =>
    given === null
      ? simplify(sourceName).includes(simplify(name))
      : simplify(name) === simplify(given),
  );
  if (found) return found;
  throw given === null
    ? badInput(
        'The name of the source does not say which model it is.',
        `Give --recipe with one of ${known}. For another model, write a model.json (docs/reference/models.md).`,
      )
    : badInput(`There is no recipe “${given.slice(0, 100)}”.`, `Use one of ${known}.`);
}

/** Returns the path of the ONNX file below the root. */
function chooseOnnx({ files }: ModelSource, root: string, given: string | null): string {
  const all = [...files.keys()].filter((path) => path.startsWith(root) && path.endsWith('.onnx'));
  const names = all.map((path) => path.slice(root.length)).sort();
  const main = MAIN_FILES.filter((name) => names.includes(name));
  const [chosen, ...others] = names.length === 1 ? names : given === null ? main : [given];
  const listed = names.map((name) => `${name} (${megabytes(files.get(root + name) ?? 0)})`);
  if (chosen === undefined || others.length > 0 || !names.includes(chosen))
    throw names.length === 0
      ? badInput('The model has no ONNX file.', 'Export it to ONNX, and give that folder.')
      : badInput(
          `The model has ${names.length} ONNX files: ${listed.slice(0, 10).join(', ')}.`,
          'Choose one with --file.',
        );
  if ((files.get(root + chosen) ?? 0) <= MAX_ONNX_BYTES) return chosen;
  throw badInput(
    `${chosen} has more than 1 GiB. All ONNX files: ${listed.slice(0, 10).join(', ')}.`,
    'Choose a smaller one with --file, or export the model with fewer bits.',
  );
}

const megabytes = (bytes: number) => `${formatCount(Math.ceil(bytes / 1e6))} MB`;

async function describeExport(
  recipe: Recipe,
  read: Omit<ExportedModel, 'outputs'>,
  folder: string,
): Promise<Record<string, unknown>> {
  const { outputs, sha256 } = await inspectOnnx(folder, ONNX_FILE);
  const described = describe(recipe, { ...read, outputs });
  const tokenizer = hash('sha256', readFileSync(join(folder, TOKENIZER_FILE)));
  return {
    version: `1-${hash('sha256', sha256 + tokenizer).slice(0, 12)}`,
    ...described,
    tokenizer: {
      type: 'huggingface',
      file: TOKENIZER_FILE,
      ...(described.tokenizer as object | undefined),
    },
    files: { cpu: ONNX_FILE },
    sha256: { [ONNX_FILE]: sha256, [TOKENIZER_FILE]: tokenizer },
    license: recipe.license,
    recipe: recipe.name,
  };
}

function describe(recipe: Recipe, model: ExportedModel): Record<string, unknown> {
  try {
    return recipe.describe(model);
  } catch (error) {
    throw badInput(
      `This is not ${recipe.name}: ${(error as Error).message}.`,
      'Export it again, or choose another recipe with --recipe.',
    );
  }
}

const POOLINGS = {
  pooling_mode_cls_token: 'first',
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_lasttoken: 'last',
} as const;

function readPooling(config: Record<string, unknown>): ExportedModel['pooling'] {
  const mode = config.pooling_mode;
  if (mode === 'cls') return 'first';
  if (mode === 'mean') return 'mean';
  if (mode === 'lasttoken') return 'last';
  for (const [key, pooling] of Object.entries(POOLINGS)) if (config[key] === true) return pooling;
  return null;
}

function readJson(folder: string, name: string): Record<string, unknown> {
  const bytes = readFileSync(join(folder, name));
  try {
    if (bytes.length > MAX_JSON_BYTES) throw new Error('it is too large');
    const value = parseJson(bytes, { maxDepth: MAX_JSON_DEPTH });
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    throw new Error('it is not an object');
  } catch (cause) {
    if (cause instanceof LocusError) throw cause;
    throw badInput(
      `${name} of the model is invalid: ${(cause as Error).message}.`,
      'Export the model again.',
      { cause },
    );
  }
}
