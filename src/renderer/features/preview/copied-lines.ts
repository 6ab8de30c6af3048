/** Tells which lines were copied in the preview, which the browser does by itself. */
import { announceCopy } from '../../platform/copy.ts';
import { listen, type Stop } from '../../platform/lifetime.ts';
import { usePreview } from './view.ts';

export const followCopiedLines = (): Stop =>
  listen('copy', ({ target }) => {
    const { made, file } = usePreview.getState();
    const selection = made?.getSelection();
    if (!file || !selection || !made?.getDomNode()?.contains(target as Node)) return;
    const { startLineNumber: first, endLineNumber: last } = selection;
    announceCopy(`${file.path}:${first}${last > first ? `–${last}` : ''}`);
  });
