import { Command } from 'commander';
import { badInput } from '../../shared/errors.ts';
import { visible } from '../../shared/quoted.ts';
import { EXIT } from '../exit-codes.ts';
import { collect } from '../options.ts';
import type { Run } from '../session.ts';

const EXAMPLES = `
Off until it is set up; then a repository that is opened for the first time takes its index from there, if one is published.

Examples:
  locus shared                                          what is set up, and one's own key
  locus shared s3://acme-locus/index --key ed25519:…    take indexes from there that this key signed
  locus shared --off`;

interface Options {
  key?: string[];
  off?: boolean;
  dataDir?: string;
}

export function sharedCommand(run: Run): Command {
  return new Command('shared')
    .description('Say from where published indexes are taken, and which publishers are trusted.')
    .argument('[place]', 'a folder, s3://bucket/prefix or https://host/path')
    .option('--key <key>', 'a publisher who is trusted; may be given again', collect)
    .option('--off', 'take none any more')
    .option('--data-dir <folder>', 'where indexes are kept (or set LOCUS_DATA_DIR)')
    .addHelpText('after', EXAMPLES)
    .action((place: string | undefined, options: Options) =>
      run(async (session) => {
        const setup = await import('../../services/shared-index/setup.ts');
        const keys = await import('../../services/shared-index/keys.ts');
        const { dataDirectory } = await import('../../services/locations.ts');
        const { env } = session.host;
        const data = dataDirectory(options.dataDir, env);
        if (place !== undefined || options.off || options.key) await setUp(data, place, options);
        const source = setup.sharedSource(data);
        const own = keys.ownKey(data, env);
        const { from = null, keys: trusted = [] } = source ?? {};
        const path = visible(keys.publisherKeyPath(data));
        session.tell({ from, keys: trusted, own }, () => [
          from === null ? 'No shared index is set up.' : `Indexes are taken from ${visible(from)}`,
          ...trusted.map((key) => `  signed by ${key}`),
          ...(own ? [`  signed by ${own}, who publishes from here (${path})`] : []),
        ]);
        return EXIT.ok;
      }),
    );
}

/**
 * The keys are all that are trusted from then on.
 * @throws LocusError `bad-input`
 */
async function setUp(data: string, place: string | undefined, options: Options): Promise<void> {
  const { setSharedSource, setUpShared } = await import('../../services/shared-index/setup.ts');
  if (options.off && (place !== undefined || options.key))
    throw badInput('--off is given with what is to be set up', 'leave one out');
  if (options.off) return setSharedSource(data, null);
  if (place === undefined)
    throw badInput(
      'a key is given, and no place',
      'give both, and all keys that are to be trusted: locus shared <place> --key …',
    );
  await setUpShared(data, place, options.key ?? []);
}
