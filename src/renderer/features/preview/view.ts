/** Current state of the preview, for commands. */

import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { type DesktopHost, unwrapAnswer } from '../../../shared/desktop.ts';
import type { FileDetail } from '../../../shared/detail.ts';
import { CHOOSE_EDITOR } from '../../../shared/editor-command.ts';
import type { Failure } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { desktop } from '../../platform/host.ts';
import { locateFile } from '../../platform/navigation.ts';
import { showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import type { editor, Position } from '../../ui/monaco.ts';
import { getCurrentSelected } from '../search/index.ts';
import { formatVsCodeUrl } from './editor-url.ts';

interface PreviewState {
  made: editor.IStandaloneCodeEditor | null;
  file: FileDetail | null;
  /** Message about the last command: its outcome or its failure. */
  message: {
    text: string;
    remedy: string | null;
    failed: boolean;
    /** Command that carries out the remedy; null for none. */
    command: string | null;
    /** Address in Visual Studio Code of the file that could not be opened; null for none. */
    vsCodeUrl: string | null;
    /** Chunk that was selected then, to which the message belongs. */
    selected: string | null;
  } | null;
}

export const usePreview = create<PreviewState>(() => ({ made: null, file: null, message: null }));

export function showMessage(text: string): void {
  showResult({ text, failed: false });
}

type Message = NonNullable<PreviewState['message']>;

function showResult(message: Pick<Message, 'text' | 'failed'> & Partial<Message>): void {
  const selected = getCurrentSelected();
  const none = { remedy: null, command: null, vsCodeUrl: null };
  usePreview.setState({ message: { ...none, selected, ...message } });
}

export const getCursor = (): Position | null => usePreview.getState().made?.getPosition() ?? null;
export const getCursorLine = (): number | null => getCursor()?.lineNumber ?? null;

/** Returns the cursor's line, updated when it moves; null if no file is shown. */
export function useCursorLine(): number | null {
  const made = usePreview((state) => state.made);
  const file = usePreview((state) => state.file);
  const [line, setLine] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cursor is elsewhere in another file
  useEffect(() => {
    if (!made) return;
    setLine(made.getPosition()?.lineNumber ?? null);
    const following = made.onDidChangeCursorPosition(({ position }) =>
      setLine(position.lineNumber),
    );
    return () => following.dispose();
  }, [made, file]);
  return file ? line : null;
}

/** Opens the shown file at the cursor's line in the user's editor. */
export async function openShownFile(): Promise<void> {
  const { file } = usePreview.getState();
  if (file) await openInEditor(file.path, getCursorLine() ?? 1);
}

/** Opens a file of the repository at a line in the user's editor. In a browser, the engine does it. */
export async function openInEditor(path: string, line: number): Promise<void> {
  const { repository, settings } = useApp.getState();
  if (!repository || !settings) return;
  const { editor } = settings;
  const location = locateFile(repository, path);
  try {
    const host = desktop as Partial<DesktopHost> | null;
    const name = host?.openInEditor
      ? await unwrapAnswer(host.openInEditor({ ...location, line, editor }))
      : await engine.call('editor.open', { repository: repository.id, path, line });
    if (name !== null) showMessage(`Opened in ${name} at line ${line}.`);
  } catch (error) {
    const { message: text, remedy } = error as Failure;
    const command = remedy === CHOOSE_EDITOR ? 'view.chooseEditor' : null;
    // The desktop app finds an installed Visual Studio Code. A browser may be on another machine than the engine.
    const canLink = command !== null && !desktop;
    const vsCodeUrl = canLink ? formatVsCodeUrl(location.root, location.path, line) : null;
    showResult({ text, remedy, failed: true, command, vsCodeUrl });
    // Another panel may be shown.
    showPanel('preview');
  }
}
