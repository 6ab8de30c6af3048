import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'electron-vite';

/** `LOCUS_OUT`: another folder for what is built. */
const out = process.env.LOCUS_OUT ?? 'out';

/** The pages; `npm run dev` serves them as they are. */
export const renderer = {
  root: 'src/renderer',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: `${out}/renderer`,
    target: 'chrome140',
    minify: true,
    cssMinify: true,
    // Inlined assets would be data: URLs, which the content security policy denies to fonts and workers.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/renderer/index.html',
      output: {
        // What schemas are told before they are made has to be where they are from, whichever part of the app is first to need them.
        codeSplitting: { groups: [{ name: 'schemas', test: /node_modules\/zod\/|plain-schemas/ }] },
      },
    },
  },
} satisfies UserConfig['renderer'];

/** `npm run build`: the renderer for both hosts, and Electron's main and preload scripts, into out/. */
export default defineConfig({
  main: {
    // The main process's few dependencies go into the archive, whose integrity is checked.
    build: {
      externalizeDeps: false,
      outDir: `${out}/main`,
      rolldownOptions: { input: 'src/main/index.ts' },
    },
  },
  preload: {
    build: {
      outDir: `${out}/preload`,
      // Sandboxed preload scripts are CommonJS.
      rolldownOptions: {
        input: 'src/preload/index.ts',
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer,
});
