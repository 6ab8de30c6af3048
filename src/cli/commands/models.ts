import { Argument, Command } from 'commander';
import { readVariable } from '../../base/environment.ts';
import { badInput } from '../../shared/errors.ts';
import { GPUS, MODEL_FORMATS } from '../../shared/local-models.ts';

import { parseChoice, parseNonEmpty } from '../options.ts';
import type { AddPublishedCliOptions } from '../published-models.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
An encoder or reranker is a folder with a model.json (docs/reference/models.md). Put your own into the folder "models" of the data directory, or add
a published one (docs/reference/published-models.md). A language model for checks is a .gguf file, which add copies or downloads (docs/how-to/run-a-language-model.md).

Examples:
  locus models                  list the models; a dot marks the one in use
  locus models verify           check every file against its manifest
  locus models use bag-1        use this model from now on, also in the app
  locus models use coret-1      the same for the reranker
  locus models add ./CodeRankEmbed
                                add a published model, exported to ONNX: a folder, .tar or .tgz
  locus models add ~/qwen.gguf --download
                                add a language model, and fetch what runs it
  locus models remove qwen      remove it; remove runtime removes what runs it`;

const ROLES = ['encode', 'rerank'] as const;
type ModelRole = (typeof ROLES)[number];

const ACTIONS = ['list', 'verify', 'use', 'add', 'remove'];

interface Options extends AddPublishedCliOptions {
  role?: ModelRole;
  dataDir?: string;
}

export function modelsCommand(run: RunAction): Command {
  return new Command('models')
    .option(
      '--data-dir <folder>',
      'data directory, with settings and your own models (or set LOCUS_DATA_DIR)',
    )
    .option('--sha256 <digest>', 'add: digest of the file, required for an address', parseNonEmpty)
    .option('--name <name>', 'add: name of the model', parseNonEmpty)
    .option(
      '--recipe <recipe>',
      'add: published model that it is (default: by its name)',
      parseNonEmpty,
    )
    .option('--file <file>', 'add: ONNX file to use, if there are several', parseNonEmpty)
    .option('--yes', 'add: agree to the license of a published model')
    .option(
      '--role <role>',
      'use: use it as this (default: what it is made for)',
      parseChoice(ROLES),
    )
    .option(
      '--format <format>',
      'add: form of requests and answers (default: by its name)',
      parseChoice(MODEL_FORMATS),
    )
    .option('--template <file>', 'add: texts of requests, a template of rank_llm', parseNonEmpty)
    .option('--download', 'add: agree to download what runs language models, if it is missing')
    .option('--runtime <folder>', 'add: take it from archives in a folder instead', parseNonEmpty)
    .option('--gpu <gpu>', 'add: also fetch what runs them on this GPU', parseChoice(GPUS))
    .addArgument(
      // The action reports an invalid choice, because it can quote the rest of the command.
      new Argument('[action]', `${ACTIONS.slice(0, -1).join(', ')} or ${ACTIONS.at(-1)}`)
        .choices(ACTIONS)
        .default('list')
        .argParser(String),
    )
    .argument(
      '[model]',
      'id of a model, path of its folder, or path or address of a .gguf file or an archive',
    )
    .addHelpText('after', EXAMPLES)
    .action((action: string, model: string | undefined, options: Options) =>
      run(async (session) => {
        const dataDir = options.dataDir ?? readVariable('LOCUS_DATA_DIR', session.host.env);
        if (action === 'add' && model !== undefined) {
          const { isPublishedSource } = await import('../../services/published-models/source.ts');
          if (isPublishedSource(model)) {
            const { addPublished } = await import('../published-models.ts');
            return addPublished(session, model, options, dataDir);
          }
        }
        if (action === 'add' || action === 'remove') {
          const { addModel, removeModel } = await import('../language-models.ts');
          return action === 'add'
            ? addModel(session, model, options, dataDir)
            : removeModel(session, model, dataDir);
        }
        const { listModels, selectModel, verifyModels } = await import('../models.ts');
        if (action === 'list' && model === undefined) return listModels(session, dataDir);
        if (action === 'verify') return verifyModels(session, model, dataDir);
        if (action === 'use') return selectModel(session, model, dataDir, options.role);
        throw badInput(
          `Unknown action of locus models: ${[action, model].filter(Boolean).join(' ')}.`,
          'Use list, verify [model], use <model>, add <folder or file> or remove <model>.',
        );
      }),
    );
}
