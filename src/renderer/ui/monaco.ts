/** Monaco with the features and languages that Locus uses. Import it only from here, so that nothing else is bundled. */
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/codeEditor/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/documentSymbols/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/gotoSymbol/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/longLinesHelper/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/placeholderText/register';
import 'monaco-editor/features/stickyScroll/register';
import 'monaco-editor/features/tokenization/register';
import 'monaco-editor/features/unicodeHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/languages/definitions/go/register';
import 'monaco-editor/languages/definitions/java/register';
import 'monaco-editor/languages/definitions/javascript/register';
import 'monaco-editor/languages/definitions/cpp/register';
import 'monaco-editor/languages/definitions/csharp/register';
import 'monaco-editor/languages/definitions/kotlin/register';
import 'monaco-editor/languages/definitions/markdown/register';
import 'monaco-editor/languages/definitions/php/register';
import 'monaco-editor/languages/definitions/python/register';
import 'monaco-editor/languages/definitions/typescript/register';
import 'monaco-editor/languages/definitions/rust/register';
import 'monaco-editor/languages/definitions/ruby/register';
import 'monaco-editor/languages/definitions/clojure/register';
import 'monaco-editor/languages/definitions/css/register';
import 'monaco-editor/languages/definitions/dart/register';
import 'monaco-editor/languages/definitions/dockerfile/register';
import 'monaco-editor/languages/definitions/elixir/register';
import 'monaco-editor/languages/definitions/fsharp/register';
import 'monaco-editor/languages/definitions/graphql/register';
import 'monaco-editor/languages/definitions/handlebars/register';
import 'monaco-editor/languages/definitions/hcl/register';
import 'monaco-editor/languages/definitions/ini/register';
import 'monaco-editor/languages/definitions/julia/register';
import 'monaco-editor/languages/definitions/less/register';
import 'monaco-editor/languages/definitions/lua/register';
import 'monaco-editor/languages/definitions/objective-c/register';
import 'monaco-editor/languages/definitions/perl/register';
import 'monaco-editor/languages/definitions/powershell/register';
import 'monaco-editor/languages/definitions/protobuf/register';
import 'monaco-editor/languages/definitions/r/register';
import 'monaco-editor/languages/definitions/restructuredtext/register';
import 'monaco-editor/languages/definitions/razor/register';
import 'monaco-editor/languages/definitions/scala/register';
import 'monaco-editor/languages/definitions/scss/register';
import 'monaco-editor/languages/definitions/shell/register';
import 'monaco-editor/languages/definitions/solidity/register';
import 'monaco-editor/languages/definitions/sql/register';
import 'monaco-editor/languages/definitions/swift/register';
import 'monaco-editor/languages/definitions/xml/register';
import 'monaco-editor/languages/definitions/yaml/register';
import 'monaco-editor/languages/definitions/twig/register';
// Colors a whole file at once. The feature `semanticTokens` colors only visible lines, after each scroll.
import 'monaco-editor/editor/contrib/semanticTokens/browser/documentSemanticTokens';
import { editor } from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { registerComponents } from './monaco-components.ts';
import { createColorReader, onThemeChange } from './theme.ts';

export { editor, type IRange, languages, Position } from 'monaco-editor/editor';

/** Name of the Monaco theme that is defined from the design tokens. */
export const MONACO_THEME = 'locus';

/** Makes Monaco follow the theme and the fonts of the page. */
export function startMonaco(): void {
  self.MonacoEnvironment = { getWorker: () => new EditorWorker() };
  registerComponents();
  defineMonacoTheme();
  onThemeChange(defineMonacoTheme);
  // Monaco measures characters once, so it must measure again when a font is loaded later.
  document.fonts.addEventListener('loadingdone', () => editor.remeasureFonts());
}

function defineMonacoTheme(): void {
  const color = createColorReader();
  const foreground = (name: string) => color(name).slice(1);
  const isDark = luminance(color('--surface')) < 0.5;
  editor.defineTheme(MONACO_THEME, {
    base: isDark ? 'vs-dark' : 'vs',
    inherit: false,
    rules: [
      { token: '', foreground: foreground('--code-text') },
      { token: 'comment', foreground: foreground('--code-comment'), fontStyle: 'italic' },
      { token: 'keyword', foreground: foreground('--code-keyword') },
      { token: 'string', foreground: foreground('--code-string') },
      // Means code in Markdown, but names with a dollar sign in PHP.
      { token: 'variable', foreground: foreground('--code-string') },
      { token: 'variable.php', foreground: foreground('--code-text') },
      { token: 'number', foreground: foreground('--code-number') },
      { token: 'type', foreground: foreground('--code-type') },
      { token: 'class', foreground: foreground('--code-type') },
      { token: 'function', foreground: foreground('--code-function'), fontStyle: 'bold' },
      { token: 'call', foreground: foreground('--code-call') },
      { token: 'parameter', foreground: foreground('--code-parameter') },
      { token: 'property', foreground: foreground('--code-property') },
      { token: 'tag', foreground: foreground('--code-type') },
      { token: 'attribute.value', foreground: foreground('--code-string') },
      { token: 'strong', fontStyle: 'bold' },
      { token: 'emphasis', fontStyle: 'italic' },
    ],
    colors: {
      'editor.background': color('--surface'),
      'editor.foreground': color('--code-text'),
      'editor.lineHighlightBackground': color('--hover'),
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': color('--pressed'),
      'editorCursor.foreground': color('--accent'),
      'editorLineNumber.foreground': color('--code-line-number'),
      'editorLineNumber.activeForeground': color('--text'),
      'editorGutter.background': color('--surface'),
      'editorIndentGuide.background1': color('--line'),
      'editorOverviewRuler.border': '#00000000',
      'editorStickyScroll.background': color('--raised'),
      'editorStickyScroll.border': color('--line'),
      'editorStickyScrollHover.background': color('--hover'),
      'editorHoverWidget.background': color('--raised'),
      'editorHoverWidget.border': color('--line'),
      'editorWidget.background': color('--raised'),
      'editorWidget.border': color('--line'),
      'editorWidget.foreground': color('--text'),
      'editor.placeholder.foreground': color('--text-faint'),
      'input.background': color('--surface'),
      'input.foreground': color('--text'),
      'input.border': color('--line'),
      'textLink.foreground': color('--accent-text'),
      'textLink.activeForeground': color('--accent-text'),
      'textCodeBlock.background': color('--hover'),
      focusBorder: color('--focus'),
      'scrollbar.shadow': '#00000000',
      'scrollbarSlider.background': `${color('--line-strong')}55`,
      'scrollbarSlider.hoverBackground': `${color('--line-strong')}88`,
      'scrollbarSlider.activeBackground': `${color('--line-strong')}aa`,
      'widget.shadow': '#00000033',
    },
  });
  editor.setTheme(MONACO_THEME);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
