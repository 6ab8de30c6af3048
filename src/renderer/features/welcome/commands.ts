import { registerCommands } from '../../platform/commands.ts';
import { desktop } from '../../platform/host.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { closeRepository, openRepository, useApp } from '../../platform/state.ts';

registerCommands([
  {
    id: 'repository.openFolder',
    title: 'Open a folder …',
    group: 'Repository',
    keys: '$mod+O',
    run: openFolder,
  },
  {
    id: 'repository.openSeveral',
    title: 'Open several repositories …',
    group: 'Repository',
    run: () => openOverlay('several'),
  },
  {
    id: 'repository.openSample',
    title: 'Open the sample repository',
    group: 'Repository',
    enabled: () => useApp.getState().welcome?.sample != null,
    run: async () => {
      const { sample } = useApp.getState().welcome ?? {};
      if (sample) await openRepository(sample.root);
    },
  },
  {
    id: 'repository.close',
    title: 'Close the repository',
    group: 'Repository',
    enabled: () => useApp.getState().repository !== null,
    run: closeRepository,
  },
]);

/** The operating system's dialog where there is one, else our own. */
async function openFolder(): Promise<void> {
  if (!desktop) return openOverlay('folders');
  const folder = await desktop.pickFolder();
  if (folder !== null) await openRepository(folder);
}
