/**
 * `npm run vscode`: bundles the extension for VS Code and packages it as `dist/locus-edit-<version>.vsix`; or in a folder
 * that is given. VS Code installs it with `code --install-extension <file>`.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build } from 'vite';
import { collectBundledNotices, NOTICES, renderNotices } from './notices.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'extensions/vscode');

const out = resolve(process.argv[2] ?? join(ROOT, 'dist'));
// Packaged from a folder of its own, so that only the files named here are included.
const folder = mkdtempSync(join(tmpdir(), 'locus-vscode-'));
try {
  for (const name of ['package.json', 'README.md', 'media']) {
    cpSync(join(SOURCE, name), join(folder, name), { recursive: true });
  }
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const built = await build({
    configFile: false,
    root: SOURCE,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: join(SOURCE, 'src/extension.ts'),
      outDir: join(folder, 'out'),
      target: 'node20',
      minify: true,
      rolldownOptions: {
        external: ['vscode', /^node:/],
        output: { format: 'cjs', entryFileNames: 'extension.cjs' },
      },
    },
  });
  const modules = [built]
    .flat()
    .flatMap((one) => ('output' in one ? one.output : []))
    .flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
  writeFileSync(join(folder, NOTICES), renderNotices(collectBundledNotices(ROOT, modules)));
  const { name, version } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
  mkdirSync(out, { recursive: true });
  const packagePath = join(out, `${name}-${version}.vsix`);
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true });
  console.log(packagePath);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
