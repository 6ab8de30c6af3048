import { runCommand } from '../../platform/commands.ts';
import { Button } from '../../ui/controls.tsx';
import { useSearch } from '../search/index.ts';

/** Puts the refined order in the place of the first one, where that would have moved rows under somebody's hands. */
export function RefinedReady() {
  const ready = useSearch((state) => state.ready !== null);
  if (!ready) return null;
  return (
    <Button look="quiet" onClick={() => runCommand('results.refined')}>
      Refined order ready
    </Button>
  );
}
