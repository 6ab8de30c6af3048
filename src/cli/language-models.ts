/** Implements `locus models add` and `remove`: language models that Locus runs itself, and the component that runs them. */
import { readNamedFile } from '../base/named-file.ts';
import {
  addLanguageModel,
  type LanguageModelFile,
  listLanguageModels,
  removeLanguageModel,
} from '../services/gguf/models.ts';
import { readTemplate } from '../services/gguf/read-template.ts';
import { findRuntime, installRuntime, removeRuntime } from '../services/gguf/runtime.ts';
import {
  listRuntimePackages,
  RUNTIME_VERSION,
  thisMachine,
} from '../services/gguf/runtime-packages.ts';
import type { ListwiseTemplate } from '../services/gguf/template.ts';
import { prepareDataDirectory } from '../services/locations.ts';
import { getRegistry } from '../services/registry.ts';
import { badInput } from '../shared/errors.ts';
import { type Gpu, type ModelFormat, RUNTIME } from '../shared/local-models.ts';
import { quoteName } from '../shared/quote.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';
import { formatBytes } from './terminal.ts';

export interface AddCliOptions {
  sha256?: string;
  name?: string;
  format?: ModelFormat;
  template?: string;
  runtime?: string;
  gpu?: Gpu;
  download?: boolean;
}

/**
 * Adds a model, and the component that runs models if it is missing.
 * @param source path or https address of a model, or `runtime` for the component alone
 * @throws LocusError `bad-input` if something would be downloaded without consent
 */
export async function addModel(
  session: Session,
  source: string | undefined,
  options: AddCliOptions,
  dataDirectory: string | undefined,
): Promise<ExitCode> {
  if (source === undefined)
    throw badInput('No model is given.', 'Give the path or the https address of a .gguf file.');
  const sha256 = parseDigest(options.sha256);
  const template = options.template ? await readTemplateFile(options.template) : null;
  const dataDir = prepareDataDirectory(dataDirectory);
  await provideRuntime(session, dataDir, options, source === RUNTIME);
  if (source === RUNTIME) return EXIT.ok;
  const { name = null, format = null } = options;
  const { signal } = session.host;
  const url = /^[a-z]+:\/\//i.test(source) ? URL.parse(source) : null;
  const model = await addLanguageModel({
    ...{ dataDir, source: url ?? source, sha256, name, format, template },
    signal,
    onProgress: createReporter(session, url ? 'downloaded' : 'copied'),
  });
  session.printResult({ model }, () => [
    `${quoteName(model.name)} is added (${describeModel(model)}).`,
    session.colors.dim(`Use it as local:${model.name} in the settings, or with --check-url.`),
  ]);
  return EXIT.ok;
}

export async function removeModel(
  session: Session,
  name: string | undefined,
  dataDirectory: string | undefined,
): Promise<ExitCode> {
  if (name === undefined)
    throw badInput('No model is given.', 'Run locus models to list the language models.');
  const dataDir = prepareDataDirectory(dataDirectory);
  const { removePublishedModel } = await import('../services/published-models/add.ts');
  const isRemoved =
    name === RUNTIME
      ? removeRuntime(dataDir)
      : removeLanguageModel(dataDir, name) || removePublishedModel(dataDir, name);
  if (!isRemoved)
    throw badInput(`There is no model “${name}” that was added.`, 'Run locus models to list them.');
  session.printResult({ removed: name }, () => [`${quoteName(name)} is removed.`]);
  return EXIT.ok;
}

/** Describes the added models and their component, for `locus models`. */
export function listAdded(dataDir: string) {
  const runtime = findRuntime(dataDir);
  return {
    languageModels: listLanguageModels(dataDir),
    runtime: runtime && { version: RUNTIME_VERSION, gpu: runtime.gpu },
  };
}

export function renderAdded({ languageModels, runtime }: ReturnType<typeof listAdded>): string[] {
  if (languageModels.length === 0 && !runtime) return [];
  const component = runtime
    ? `node-llama-cpp ${runtime.version}${runtime.gpu ? ` with ${runtime.gpu}` : ''}`
    : 'not installed, so none can be run';
  return [
    '',
    `Language models for checks (component: ${component})`,
    ...languageModels.map(
      (model) => `  ${quoteName(`local:${model.name}`)}  ${describeModel(model)}`,
    ),
  ];
}

const describeModel = ({ bytes, format }: LanguageModelFile): string =>
  `${formatBytes(bytes)} · ${format}`;

async function readTemplateFile(path: string): Promise<ListwiseTemplate> {
  const parts: Buffer[] = [];
  try {
    for await (const part of readNamedFile(path, { maxBytes: MAX_TEMPLATE })) parts.push(part);
  } catch (error) {
    throw badInput(`${path} cannot be read: ${(error as Error).message}.`, 'Choose another file.');
  }
  return readTemplate(Buffer.concat(parts).toString('utf8'), path);
}

export function parseDigest(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw badInput('The value of --sha256 is not a SHA-256.', 'Give 64 hexadecimal digits.');
}

/** Installs the component if it is missing, or is wanted for a GPU that it does not support. */
async function provideRuntime(
  session: Session,
  dataDir: string,
  options: AddCliOptions,
  isWanted: boolean,
): Promise<void> {
  const { runtime: folder, download = false } = options;
  const gpu = options.gpu ?? null;
  const installed = findRuntime(dataDir);
  const isMissing = installed === null || (gpu !== null && gpu !== installed.gpu);
  if (!isMissing && !isWanted) return;
  const packages = listRuntimePackages(thisMachine(), gpu);
  const registry = getRegistry(session.host.env);
  if (folder === undefined && !download) {
    const size = formatBytes(packages.reduce((sum, { bytes }) => sum + bytes, 0));
    throw badInput(
      `To run models, Locus needs node-llama-cpp ${RUNTIME_VERSION}: ${packages.length} packages of ${registry.host} with ${size} of files.`,
      'To agree to download them, add --download. Without a network, give --runtime with a folder of their archives.',
    );
  }
  const report = createReporter(session, 'installed');
  const { signal } = session.host;
  await installRuntime({
    dataDir,
    gpu,
    source: folder ?? registry,
    signal,
    onPackage: (done, total) => report(done, total, 'packages'),
  });
  session.note(`locus: node-llama-cpp ${RUNTIME_VERSION} is installed.`);
}

const STEP_PERCENT = 10;
/** Maximum size of a template, in bytes. */
const MAX_TEMPLATE = 20_000;

/** Returns a function that prints a note at each tenth of the work. */
export function createReporter(session: Session, done: string) {
  let next = STEP_PERCENT;
  return (at: number, total: number | null, unit?: string): void => {
    const percent = total ? Math.floor((100 * at) / total) : 0;
    if (total === null || percent < next) return;
    next = percent - (percent % STEP_PERCENT) + STEP_PERCENT;
    const amount = unit ? `${total} ${unit}` : formatBytes(total);
    session.note(`locus: ${percent}% of ${amount} ${done}.`);
  };
}
