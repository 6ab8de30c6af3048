/** What the preview shows at the moment, for commands. */

import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { type DesktopHost, resultOf } from '../../../shared/desktop.ts';
import type { FileDetail } from '../../../shared/detail.ts';
import { CHOOSE_EDITOR } from '../../../shared/editor-command.ts';
import type { Failure } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { desktop } from '../../platform/host.ts';
import { locate } from '../../platform/navigation.ts';
import { useApp } from '../../platform/state.ts';
import type { editor, Position } from '../../ui/monaco.ts';

interface View {
  made: editor.IStandaloneCodeEditor | null;
  file: FileDetail | null;
  /** Something to tell about the last command: what it did, or why it could not. */
  message: {
    text: string;
    remedy: string | null;
    failed: boolean;
    /** The command that mends it. */
    command: string | null;
  } | null;
}

export const usePreview = create<View>(() => ({ made: null, file: null, message: null }));

export function say(text: string): void {
  usePreview.setState({ message: { text, remedy: null, failed: false, command: null } });
}

/** @param command what the remedy is, where there is a command for it. */
function sayFailure(text: string, remedy: string, command: string | null = null): void {
  usePreview.setState({ message: { text, remedy, failed: true, command } });
}

export const cursor = (): Position | null => usePreview.getState().made?.getPosition() ?? null;
export const cursorLine = (): number | null => cursor()?.lineNumber ?? null;

/** The line of the cursor, followed; null while no file is shown. */
export function useCursorLine(): number | null {
  const made = usePreview((state) => state.made);
  const file = usePreview((state) => state.file);
  const [line, setLine] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file has its cursor elsewhere
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
