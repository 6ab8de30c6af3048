/** From the preview to the user's own editor, at the same line. */
import { type DesktopHost, resultOf } from '../../../shared/desktop.ts';
import { CHOOSE_EDITOR } from '../../../shared/editor-command.ts';
import type { Failure } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { desktop } from '../../platform/host.ts';
import { locate } from '../../platform/places.ts';
import { useApp } from '../../platform/state.ts';
import { cursorLine, say, sayFailure, usePreview } from './view.ts';

/** Opens the file that is shown at the line of the cursor; in the browser host, the engine does it. */
export async function openInEditor(): Promise<void> {
  const { repository, settings } = useApp.getState();
  const { file } = usePreview.getState();
  if (!repository || !settings || !file) return;
  const { path } = file;
  const line = cursorLine() ?? 1;
  const { editor } = settings;
  try {
    const host = desktop as Partial<DesktopHost> | null;
    const name = host?.openInEditor
      ? await resultOf(host.openInEditor({ ...locate(repository, path), line, editor }))
      : await engine.call('editor.open', { repository: repository.id, path, line });
    if (name !== null) say(`Opened in ${name} at line ${line}.`);
  } catch (error) {
    const { message, remedy } = error as Failure;
    sayFailure(message, remedy, remedy === CHOOSE_EDITOR ? 'view.chooseEditor' : null);
  }
}
