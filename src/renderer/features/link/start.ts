import { engine } from '../../platform/client.ts';
import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { useApp } from '../../platform/state.ts';
import { selectedNow } from '../search/index.ts';
import { followLinks } from './follow.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'results.copyLink',
    title: 'Copy deep link',
    also: 'share colleagues',
    keys: '$mod+Shift+c',
    enabled: () => selectedNow() !== null,
    run: copyLink,
  },
];

/** Copies a deep link that opens the selected result in a colleague's Locus. */
async function copyLink(): Promise<void> {
  const repository = useApp.getState().repository?.id;
  const chunk = selectedNow();
  if (!repository || chunk === null) return;
  await navigator.clipboard.writeText(await engine.call('link.make', { repository, chunk }));
}

export const start = (): Stop => stopAll(registerCommands(COMMANDS), followLinks());
