import { splitAddress } from '../../../shared/address.ts';
import { engine } from '../../platform/client.ts';
import { type Command, registerCommands } from '../../platform/commands.ts';
import { copyText } from '../../platform/copy.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { useApp } from '../../platform/state.ts';
import { getCurrentSelected } from '../search/index.ts';
import { followDeepLinks } from './open-deep-link.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'results.copyLink',
    title: 'Copy deep link',
    synonyms: 'share colleagues',
    keys: '$mod+Shift+c',
    enabled: () => getCurrentSelected() !== null,
    run: copyLink,
  },
];

/** Copies a deep link that opens the selected result in a colleague's Locus. */
async function copyLink(): Promise<void> {
  const repository = useApp.getState().repository?.id;
  const chunk = getCurrentSelected();
  if (!repository || chunk === null) return;
  const link = await engine.call('link.make', { repository, chunk });
  await copyText(link, `deep link to ${splitAddress(chunk).name}`);
}

export const start = (): Stop => stopAll(registerCommands(COMMANDS), followDeepLinks());
