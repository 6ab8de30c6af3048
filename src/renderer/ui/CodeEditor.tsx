import { useEffect, useRef, useState } from 'react';
import { codeTypeOf } from './code-type.ts';
import styles from './codeEditor.module.css';
import type { editor } from './monaco.ts';
import { once } from './once.ts';
import { onThemeChange, wantsMotion } from './theme.ts';

/** Exports of `monaco.ts`. It is loaded after the first paint, because it is most of the app. */
export type Monaco = typeof import('./monaco.ts');
const loadMonaco = once(async (): Promise<Monaco> => {
  const monaco = await import('./monaco.ts');
  monaco.startMonaco();
  return monaco;
});

/** Monaco's number for `ScrollType.Immediate`. */
export const IMMEDIATE = 1;

/** Options that all of the app's editors share. */
const COMMON = {
  automaticLayout: true,
  minimap: { enabled: false },
  renderFinalNewline: 'off',
  // Flat, as Monaco's models read it: else they colour brackets again when their language or another editor comes.
  'bracketPairColorization.enabled': false,
  // Names by what they are, where a model has somebody who knows.
  'semanticHighlighting.enabled': true,
  matchBrackets: 'near',
  scrollBeyondLastLine: false,
  // The tokens have colours for that, and Monaco's own theme for it fails with the few features that are loaded.
  autoDetectHighContrast: false,
  overviewRulerBorder: false,
  // Hovers may be wider than a narrow pane.
  fixedOverflowWidgets: true,
  renderLineHighlightOnlyWhenFocus: true,
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  padding: { top: 8, bottom: 8 },
  // Tab leaves the editor: it is a pane among others, not the whole program.
  tabFocusMode: true,
} satisfies editor.IStandaloneEditorConstructionOptions & Record<string, unknown>;

interface Props {
  outline: 'prose' | 'code';
  options: editor.IStandaloneEditorConstructionOptions;
  onReady: (made: editor.IStandaloneCodeEditor, monaco: Monaco) => undefined | (() => void);
}

/**
 * Monaco as a component: made once, with the options of the first render; until then, its `outline`. `onReady` gets
 * the editor, and Monaco for whoever needs more than its types, and may return what to do before the editor is
 * disposed of.
 */
export function CodeEditor({ options, outline, onReady }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const first = useRef({ options, onReady });
  useEffect(() => {
    let end: (() => void) | null = null;
    let wanted = true;
    loadMonaco().then((monaco) => {
      if (!wanted || !container.current) return;
      const { options, onReady } = first.current;
      const made = monaco.editor.create(container.current, {
        ...COMMON,
        smoothScrolling: wantsMotion(),
        ...codeTypeOf(getComputedStyle(container.current)),
        theme: monaco.MONACO_THEME,
        ...options,
      });
      const cleanUp = onReady(made, monaco);
      setReady(true);
      const keepType = onThemeChange(() => setType(made));
      end = () => {
        keepType();
        cleanUp?.();
        made.dispose();
      };
    });
    return () => {
      wanted = false;
      end?.();
    };
  }, []);
  return (
    <>
      <div ref={container} className={styles.editor} />
      {!ready && <Outline of={outline} />}
    </>
  );
}

/** Sets an editor in the type that its element has by now; the line at its top stays there. */
function setType(made: editor.IStandaloneCodeEditor): void {
  const top = made.getVisibleRanges()[0]?.startLineNumber;
  const above = top === undefined ? 0 : made.getScrollTop() - made.getTopForLineNumber(top);
  made.updateOptions(codeTypeOf(getComputedStyle(made.getContainerDomNode())));
  if (top !== undefined) made.setScrollTop(made.getTopForLineNumber(top) + above, IMMEDIATE);
}

/** Indents and widths of lines, in ch. */
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

/** Lines as they will stand there. */
function Outline({ of }: { of: keyof typeof LINES }) {
  const { indents, widths } = LINES[of];
  return (
    <div className={styles.outline} data-of={of} role="status">
      <span className="unseen">The editor is being loaded</span>
      {widths.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
        <div key={at} className={styles.line}>
          <span style={{ width: `${width}ch`, marginLeft: `${indents[at]}ch` }} />
        </div>
      ))}
    </div>
  );
}
