/** What the preview shows at the moment, for commands. */
import { create } from 'zustand';
import type { FileDetail } from '../../../shared/detail.ts';
import type { editor, Position } from '../../ui/monaco.ts';

interface View {
  made: editor.IStandaloneCodeEditor | null;
  file: FileDetail | null;
  /** Something to tell about the last command: what it did, or why it could not. */
  message: { text: string; remedy: string | null; failed: boolean } | null;
}

export const usePreview = create<View>(() => ({ made: null, file: null, message: null }));

export function say(text: string, remedy: string | null = null, failed = false): void {
  usePreview.setState({ message: { text, remedy, failed } });
}

export const cursor = (): Position | null => usePreview.getState().made?.getPosition() ?? null;
export const cursorLine = (): number | null => cursor()?.lineNumber ?? null;
