import { Argument, Command } from 'commander';
import { readVariable } from '../../base/environment.ts';
import { badInput } from '../../shared/errors.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
A model is a folder with a model.json (docs/reference/models.md). Put your own models into the folder "models" of the data directory.

Examples:
  locus models                  list the models; a dot marks the one in use
  locus models verify           check every file against its manifest
  locus models use bag-1        use this model from now on, also in the app`;

interface Options {
  dataDir?: string;
}

export function modelsCommand(run: RunAction): Command {
  return new Command('models')
    .option(
      '--data-dir <folder>',
      'data directory, with settings and your own models (or set LOCUS_DATA_DIR)',
    )
    .addArgument(
      // The action reports an invalid choice, because it can quote the rest of the command.
      new Argument('[action]', 'list, verify or use')
        .choices(['list', 'verify', 'use'])
        .default('list')
        .argParser(String),
    )
    .argument('[model]', 'id of a model, or path of its folder')
    .addHelpText('after', EXAMPLES)
    .action((action: string, model: string | undefined, options: Options) =>
      run(async (session) => {
        const { listModels, selectModel, verifyModels } = await import('../models.ts');
        const dataDir = options.dataDir ?? readVariable('LOCUS_DATA_DIR', session.host.env);
        if (action === 'list' && model === undefined) return listModels(session, dataDir);
        if (action === 'verify') return verifyModels(session, model, dataDir);
        if (action === 'use') return selectModel(session, model, dataDir);
        throw badInput(
          `Unknown action of locus models: ${[action, model].filter(Boolean).join(' ')}.`,
          'Use list, verify [model] or use <model>.',
        );
      }),
    );
}
