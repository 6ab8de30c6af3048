import { type DragEvent, useState } from 'react';
import { desktop } from '../../platform/host.ts';
import { openRepository } from '../../platform/state.ts';

const NO_PATH =
  'A browser does not say where a dropped folder lies. Use “Open a folder”, or start Locus with: locus serve <folder>';

/** A folder that is dropped on the window is opened; a page in a browser can only say why it cannot. */
export function useFolderDrop() {
  const [over, setOver] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    const path = file && desktop?.pathOf(file);
    setSaid(null);
    if (path) openRepository(path);
    else if (!desktop) setSaid(NO_PATH);
    else setSaid('That is not on this machine’s disk. Drop a folder of it.');
  };
  return {
    over,
    said,
    handlers: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: drop,
    },
  };
}
