import { useEffect, useRef } from 'react';
import type { editor } from './monaco.ts';

/** What `monaco.ts` exports; it comes after the first paint, because it is most of the app. */
export type Monaco = typeof import('./monaco.ts');
const loadMonaco = () => import('./monaco.ts');

/** Options that all of the app's editors share. */
const COMMON: editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  fontFamily: "'JetBrains Mono Variable', ui-monospace, Menlo, Consolas, monospace",
  fontSize: 12.5,
  lineHeight: 19,
  minimap: { enabled: false },
  renderFinalNewline: 'off',
  bracketPairColorization: { enabled: false },
  matchBrackets: 'near',
  scrollBeyondLastLine: false,
  smoothScrolling: true,
  overviewRulerBorder: false,
  // Hovers may be wider than a narrow pane.
  fixedOverflowWidgets: true,
  renderLineHighlightOnlyWhenFocus: true,
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  padding: { top: 8, bottom: 8 },
  // Tab leaves the editor: it is a pane among others, not the whole program.
  tabFocusMode: true,
};

/**
 * Monaco as a component: made once, with the options of the first render. `onReady` gets the editor, and Monaco for
 * whoever needs more than its types, and may return what to do before the editor is disposed of.
 */
export function CodeEditor({
  options,
  onReady,
}: {
  options: editor.IStandaloneEditorConstructionOptions;
  onReady: (made: editor.IStandaloneCodeEditor, monaco: Monaco) => undefined | (() => void);
}) {
  const container = useRef<HTMLDivElement>(null);
  const first = useRef({ options, onReady });
  useEffect(() => {
    let end: (() => void) | null = null;
    let wanted = true;
    loadMonaco().then((monaco) => {
      if (!wanted) return;
      const { options, onReady } = first.current;
      const made = monaco.editor.create(container.current!, {
        ...COMMON,
        theme: monaco.MONACO_THEME,
        ...options,
      });
      const cleanUp = onReady(made, monaco);
      end = () => {
        cleanUp?.();
        made.dispose();
      };
    });
    return () => {
      wanted = false;
      end?.();
    };
  }, []);
  return <div ref={container} style={{ position: 'absolute', inset: 0 }} />;
}
