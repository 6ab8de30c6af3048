/** Languages of components, which Monaco does not define. */
/// <reference path="./monaco-html.d.ts" />
import 'monaco-editor/languages/definitions/css/register';
import 'monaco-editor/languages/definitions/html/register';
import { languages } from 'monaco-editor/editor';

const loadHtml = () => import('monaco-editor/languages/definitions/html/html');

/** Registers the languages of components with Monaco. They are colored like HTML. */
export function registerComponents(): void {
  for (const id of ['vue', 'svelte', 'astro']) {
    languages.register({ id });
    languages.registerTokensProviderFactory(id, {
      create: async () => (await loadHtml()).language,
    });
    languages.onLanguageEncountered(id, async () => {
      languages.setLanguageConfiguration(id, (await loadHtml()).conf);
    });
  }
}
