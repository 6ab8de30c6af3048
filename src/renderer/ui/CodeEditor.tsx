import { useEffect, useRef, useState } from 'react';
import { getCodeFont } from './code-type.ts';
import styles from './codeEditor.module.css';
import type { editor } from './monaco.ts';
import { once } from './once.ts';
import { onThemeChange, wantsMotion } from './theme.ts';

/** Exports of `monaco.ts`, which is loaded after the first paint because it is most of the app's code. */
export type Monaco = typeof import('./monaco.ts');
const loadMonaco = once(async (): Promise<Monaco> => {
  const monaco = await import('./monaco.ts');
  monaco.startMonaco();
  return monaco;
});

/** Monaco's number for `ScrollType.Immediate`. */
export const IMMEDIATE = 1;

/** Options of all editors in the app. */
const COMMON_OPTIONS = {
  automaticLayout: true,
  minimap: { enabled: false },
  renderFinalNewline: 'off',
  // As a flat key, which Monaco's models read. Otherwise they color brackets again when the language changes or another editor opens.
  'bracketPairColorization.enabled': false,
  // Colors names by kind, if a provider of semantic tokens is registered.
  'semanticHighlighting.enabled': true,
  matchBrackets: 'near',
  scrollBeyondLastLine: false,
  // The design tokens define high contrast. Monaco's own theme for it fails with the few features that are loaded.
  autoDetectHighContrast: false,
  overviewRulerBorder: false,
  // Lets hovers extend beyond a narrow pane.
  fixedOverflowWidgets: true,
  renderLineHighlightOnlyWhenFocus: true,
  scrollbar: {
    verticalScrollbarSize: 10,
    horizontalScrollbarSize: 10,
    useShadows: false,
    // The space for it is the padding. If it came with the scrollbar, the line numbers would stay where they were, beside other lines.
    ignoreHorizontalScrollbarInContentHeight: true,
  },
  padding: { top: 8, bottom: 10 },
  // Tab leaves the editor, which is only one of several panes.
  tabFocusMode: true,
} satisfies editor.IStandaloneEditorConstructionOptions & Record<string, unknown>;

interface Props {
  placeholder: 'prose' | 'code';
  options: editor.IStandaloneEditorConstructionOptions;
  onReady: (made: editor.IStandaloneCodeEditor, monaco: Monaco) => undefined | (() => void);
}

/**
 * Monaco as a component. The editor is created once, with the options of the first render; until then, a placeholder is
 * shown. `onReady` receives the editor and Monaco, and may return a function to call before the editor is disposed.
 */
export function CodeEditor({ options, placeholder, onReady }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const first = useRef({ options, onReady });
  useEffect(() => {
    let dispose: (() => void) | null = null;
    let isMounted = true;
    loadMonaco().then((monaco) => {
      if (!isMounted || !container.current) return;
      const { options, onReady } = first.current;
      const made = monaco.editor.create(container.current, {
        ...COMMON_OPTIONS,
        smoothScrolling: wantsMotion(),
        ...getCodeFont(getComputedStyle(container.current)),
        theme: monaco.MONACO_THEME,
        ...options,
      });
      const cleanUp = onReady(made, monaco);
      setReady(true);
      const stopFollowing = onThemeChange(() => updateFont(made));
      dispose = () => {
        stopFollowing();
        cleanUp?.();
        made.dispose();
      };
    });
    return () => {
      isMounted = false;
      dispose?.();
    };
  }, []);
  return (
    <>
      <div ref={container} className={styles.editor} />
      {!ready && <Placeholder of={placeholder} />}
    </>
  );
}

/** Applies the current font of an editor's element to the editor. Keeps the line at the top in place. */
function updateFont(made: editor.IStandaloneCodeEditor): void {
  const top = made.getVisibleRanges()[0]?.startLineNumber;
  const above = top === undefined ? 0 : made.getScrollTop() - made.getTopForLineNumber(top);
  made.updateOptions(getCodeFont(getComputedStyle(made.getContainerDomNode())));
  if (top !== undefined) made.setScrollTop(made.getTopForLineNumber(top) + above, IMMEDIATE);
}

/** Indents and widths of placeholder lines, in ch. */
const LINES = {
  prose: {
    indents: [0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 0],
    widths: [34, 0, 46, 41, 29, 0, 26, 38, 0, 44, 22],
  },
  code: {
    indents: [0, 4, 4, 8, 8, 0, 0, 4, 4, 8],
    widths: [28, 44, 22, 31, 18, 0, 24, 36, 40, 27],
  },
};

/** Gray lines instead of the text until the editor is loaded. */
function Placeholder({ of }: { of: keyof typeof LINES }) {
  const { indents, widths } = LINES[of];
  return (
    <div className={styles.outline} data-of={of} role="status">
      <span className="visually-hidden">Loading the editor</span>
      {widths.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <div key={at} className={styles.line}>
          <span style={{ width: `${width}ch`, marginLeft: `${indents[at]}ch` }} />
        </div>
      ))}
    </div>
  );
}
