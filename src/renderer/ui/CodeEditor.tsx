import { useEffect, useRef } from 'react';
import { editor, MONACO_THEME } from './monaco.ts';

/** Options that all of the app's editors share. */
const COMMON: editor.IStandaloneEditorConstructionOptions = {
  theme: MONACO_THEME,
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
  renderLineHighlightOnlyWhenFocus: true,
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  padding: { top: 8, bottom: 8 },
  // Tab leaves the editor: it is a pane among others, not the whole program.
  tabFocusMode: true,
};

/**
 * Monaco as a component: made once, with the options of the first render. `onReady` gets the editor and may return
 * what to do before it is disposed of.
 */
export function CodeEditor({
  options,
  onReady,
}: {
  options: editor.IStandaloneEditorConstructionOptions;
  onReady: (made: editor.IStandaloneCodeEditor) => undefined | (() => void);
}) {
  const container = useRef<HTMLDivElement>(null);
  const first = useRef({ options, onReady });
  useEffect(() => {
    const { options, onReady } = first.current;
    const made = editor.create(container.current!, { ...COMMON, ...options });
    const cleanUp = onReady(made);
    return () => {
      cleanUp?.();
      made.dispose();
    };
  }, []);
  return <div ref={container} style={{ position: 'absolute', inset: 0 }} />;
}
