/** Adapters of components: files of scripts in JavaScript or TypeScript, templates and styles. */
import type { Language } from '../language.ts';
import { tsx, typescript } from './index.ts';
import { readAstro, readSvelte } from './svelte.ts';
import { unnamedComponents } from './unnamed.ts';
import { readVue } from './vue.ts';

const QUERIES = [...typescript.queries, 'components.scm'];
const SCRIPT = '<script>\nfunction f(x) {\n  return x;\n}\n</script>\n';

/** Blocks of a Vue component at the start of a line, and its options in a call. */
const VUE_HEADERS: readonly RegExp[] = [
  /(?<function><template>)/y,
  /<\/?(?:template|script|style)\b(?<namespace>)/y,
  /[ \t]*export[ \t]+(?<class>default)[ \t]+[\w$.]{1,80}\(\{[ \t]*\r?$/my,
];

function createFiles(extension: string): Language['files'] {
  // Templates have long lines, such as drawings.
  return { ...typescript.files, extensions: [extension], minified: false };
}

export const vue: Language = {
  ...typescript,
  name: 'vue',
  title: 'Vue',
  monaco: 'vue',
  files: createFiles('.vue'),
  queries: ['vue.scm', ...QUERIES],
  text: {
    ...typescript.text,
    soundHeaders: [...VUE_HEADERS, ...(typescript.text.soundHeaders ?? [])],
  },
  names: { ...typescript.names, unnamed: unnamedComponents },
  markup: {
    read: readVue,
    isHidden: (name) => /\.watch\.[^.]+$/.test(name),
    initializer: 'setup',
  },
  example: { path: 'example.vue', text: SCRIPT, name: 'f' },
};

export const svelte: Language = {
  ...typescript,
  name: 'svelte',
  title: 'Svelte',
  monaco: 'svelte',
  files: createFiles('.svelte'),
  queries: QUERIES,
  names: { ...typescript.names, unnamed: unnamedComponents },
  markup: { read: readSvelte },
  example: { path: 'example.svelte', text: SCRIPT, name: 'f' },
};

export const astro: Language = {
  ...tsx,
  name: 'astro',
  title: 'Astro',
  monaco: 'astro',
  files: createFiles('.astro'),
  queries: [...tsx.queries, 'components.scm', 'astro.scm'],
  names: { ...tsx.names, unnamed: unnamedComponents },
  markup: { read: readAstro },
  example: { path: 'example.astro', text: SCRIPT, name: 'f' },
};
