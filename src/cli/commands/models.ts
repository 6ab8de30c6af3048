import { Argument, Command } from 'commander';
import { readVariable } from '../../base/environment.ts';
import { badInput } from '../../shared/errors.ts';
import type { Run } from '../session.ts';

const EXAMPLES = `
A model is a folder with a model.json (docs/models.md). Those of your own belong into "models" in the data directory.

Examples:
  locus models                  what there is, and which is used
  locus models verify           compare every file with its manifest
  locus models use bag-1        for the command line and the app, from now on`;

interface Options {
  dataDir?: string;
}

export function modelsCommand(run: Run): Command {
  return new Command('models')
    .description('List, check and switch the models that encode code and issues.')
    .option('--data-dir <folder>', 'where settings and your own models are (or set LOCUS_DATA_DIR)')
    .addArgument(
      // What is none of them is told by the action, which knows the rest of the line.
      new Argument('[what]', 'what to do')
        .choices(['list', 'verify', 'use'])
        .default('list')
        .argParser(String),
    )
    .argument('[model]', 'an id, or the path of a model folder')
    .addHelpText('after', EXAMPLES)
    .action((what: string, model: string | undefined, options: Options) =>
      run(async (session) => {
        const { list, use, verify } = await import('../models.ts');
        const dataDir = options.dataDir ?? readVariable('LOCUS_DATA_DIR', session.host.env);
        if (what === 'list' && model === undefined) return list(session, dataDir);
        if (what === 'verify') return verify(session, model, dataDir);
        if (what === 'use') return use(session, model, dataDir);
        throw badInput(
          `locus models does not know ${[what, model].filter(Boolean).join(' ')}`,
          'give list, verify [model] or use <model>',
        );
      }),
    );
}
