/** Monaco's definition of HTML, for which the package has no types. */
declare module 'monaco-editor/languages/definitions/html/html' {
  import type { languages } from 'monaco-editor/editor';

  export const conf: languages.LanguageConfiguration;
  export const language: languages.IMonarchLanguage;
}
