import { type Command, registerCommands } from '../../platform/commands.ts';
import { desktop } from '../../platform/host.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { closeRepository, openRepository, useApp } from '../../platform/state.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'repository.openFolder',
    title: 'Open folder…',
    synonyms: 'project workspace switch',
    keys: '$mod+O',
    run: openFolder,
  },
  {
    id: 'repository.openSeveral',
    title: 'Open workspace…',
    synonyms: 'several repositories monorepo multi-root',
    run: () => openOverlay('several'),
  },
  {
    id: 'repository.openSample',
    title: 'Open sample repository',
    synonyms: 'demo example try',
    enabled: () => useApp.getState().welcome?.sample != null,
    run: async () => {
      const { sample } = useApp.getState().welcome ?? {};
      if (sample) await openRepository(sample.root);
    },
  },
  {
    id: 'repository.version',
    title: 'Search a branch, tag or commit…',
    synonyms: 'git version revision checkout switch history sha',
    keys: '$mod+Alt+G',
    enabled: hasVersions,
    run: () => openOverlay('versions'),
  },
  {
    id: 'repository.workingTree',
    title: 'Back to the working tree',
    synonyms: 'git files disk head version',
    enabled: () => useApp.getState().version !== null,
    run: async () => {
      const { repository } = useApp.getState();
      if (repository) await openRepository(repository.root);
    },
  },
  {
    id: 'repository.close',
    title: 'Close repository',
    synonyms: 'exit leave project',
    enabled: () => useApp.getState().repository !== null,
    run: closeRepository,
  },
];

/** Returns true if other versions can be searched. The repositories of a workspace have no versions in common. */
function hasVersions(): boolean {
  const { repository } = useApp.getState();
  return repository !== null && !repository.members;
}

/** Opens a folder with the operating system's dialog if there is one, otherwise with our own. */
async function openFolder(): Promise<void> {
  if (!desktop) return openOverlay('folders');
  const folder = await desktop.pickFolder();
  if (folder !== null) await openRepository(folder);
}

export const start = (): Stop => registerCommands(COMMANDS);
