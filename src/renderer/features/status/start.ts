import { engine } from '../../platform/client.ts';
import { type Command, registerCommands } from '../../platform/commands.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';

const getPhase = () => useApp.getState().indexing?.phase;
const callIndex = async (method: 'index.pause' | 'index.resume') => {
  const { repository } = useApp.getState();
  if (repository) await engine.call(method, { repository: repository.id });
};

const COMMANDS: readonly Command[] = [
  {
    id: 'index.pause',
    title: 'Pause indexing',
    synonyms: 'stop',
    enabled: () => getPhase() === 'indexing' || getPhase() === 'current',
    run: () => callIndex('index.pause'),
  },
  {
    id: 'index.resume',
    title: 'Resume indexing',
    synonyms: 'start continue',
    enabled: () => getPhase() === 'paused' || getPhase() === 'failed',
    run: () => callIndex('index.resume'),
  },
  {
    id: 'help.log',
    title: 'Show log',
    synonyms: 'logs errors diagnostics',
    run: () => openOverlay('log'),
  },
];

export const start = (): Stop => registerCommands(COMMANDS);
