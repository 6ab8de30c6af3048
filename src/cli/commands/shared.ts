import { Command } from 'commander';
import { badInput } from '../../shared/errors.ts';
import { escapeHidden } from '../../shared/quote.ts';
import { EXIT } from '../exit-codes.ts';
import { collect } from '../options.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
After the setup, a repository that is opened for the first time downloads its index, if one is published.

Examples:
  locus shared                                          show the settings and your own key
  locus shared s3://acme-locus/index --key ed25519:…    download indexes signed with this key
  locus shared --off`;

interface Options {
  key?: string[];
  off?: boolean;
  dataDir?: string;
}

export function sharedCommand(run: RunAction): Command {
  return new Command('shared')
    .argument('[storage]', 'a folder, s3://bucket/prefix or https://host/path')
    .option('--key <key>', 'key of a trusted publisher; can be repeated', collect)
    .option('--off', 'stop using a shared index')
    .option('--data-dir <folder>', 'data directory (or set LOCUS_DATA_DIR)')
    .addHelpText('after', EXAMPLES)
    .action((storage: string | undefined, options: Options) =>
      run(async (session) => {
        const setup = await import('../../services/shared-index/setup.ts');
        const keys = await import('../../services/shared-index/keys.ts');
        const { getDataDirectory } = await import('../../services/locations.ts');
        const { env } = session.host;
        const data = getDataDirectory(options.dataDir, env);
        if (storage !== undefined || options.off || options.key)
          await setUp(data, storage, options);
        const source = setup.readSharedSource(data);
        const own = keys.findOwnKey(data, env);
        const { from = null, keys: trusted = [] } = source ?? {};
        const path = escapeHidden(keys.getPublisherKeyPath(data));
        session.printResult({ from, keys: trusted, own }, () => [
          from === null
            ? 'No shared index is set up.'
            : `Indexes are downloaded from ${escapeHidden(from)}`,
          ...trusted.map((key) => `  signed by ${key}`),
          ...(own ? [`  signed by ${own}, your own key (${path})`] : []),
        ]);
        return EXIT.ok;
      }),
    );
}

/**
 * Stores the settings. The given keys replace those that were trusted before.
 * @throws LocusError `bad-input`
 */
async function setUp(data: string, storage: string | undefined, options: Options): Promise<void> {
  const { writeSharedSource, setUpSharedIndex } = await import(
    '../../services/shared-index/setup.ts'
  );
  if (options.off && (storage !== undefined || options.key))
    throw badInput(
      '--off is combined with a storage or a key.',
      'Omit --off, or give nothing else.',
    );
  if (options.off) return writeSharedSource(data, null);
  if (storage === undefined)
    throw badInput(
      'A key is given without a storage.',
      'Run locus shared <storage> --key … with every key to trust.',
    );
  await setUpSharedIndex(data, storage, options.key ?? []);
}
