/** What the preview shows at the moment, for commands. */
import { create } from 'zustand';
import type { FileDetail } from '../../../shared/detail.ts';
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
export function sayFailure(text: string, remedy: string, command: string | null = null): void {
  usePreview.setState({ message: { text, remedy, failed: true, command } });
}

export const cursor = (): Position | null => usePreview.getState().made?.getPosition() ?? null;
export const cursorLine = (): number | null => cursor()?.lineNumber ?? null;
