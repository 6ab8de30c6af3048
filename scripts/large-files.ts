/**
 * `node scripts/large-files.ts`, part of `npm run lint`: refuses a large file that is not listed here. Every version of a file stays in
 * the history for good, and everybody who clones it downloads it, so a large file is added once, in its final form.
 */
import { execFileSync } from 'node:child_process';

/** Largest size of a file that needs no line below, in bytes. */
const MAX_BYTES = 600_000;

/** Large files, each with git's name of its only version. */
const LISTED: Readonly<Record<string, string>> = {
  'docs/screenshots/recording.webp': 'b998d0c61e46a6445d4f867ca8d223ea59d1f56f',
  'models/bag-1/model.int8.onnx': '2cff9c7ecf3c65b34c263819c6b2246c0474dc5a',
  'models/coret-1/model.float16.onnx': '4972a552d7a7bbf9da1458932ebab49b92216a94',
  'models/coret-1/model.int8.onnx': 'a534f5016771b0f8c25185350d211eda25ef5458',
  'src/engine/languages/grammars/tree-sitter-fsharp.wasm':
    '32987c06f3067004cb49b603604bc382090f4390',
  'src/engine/languages/grammars/tree-sitter-julia.wasm':
    'c68bc7c8c2ac25e4c9b6e2585d06bd319ca22c1b',
  'src/engine/languages/grammars/tree-sitter-objc.wasm': '17bf2b67b8bfd2ab0fc93ba89f7d11779fccea76',
  'src/engine/languages/grammars/tree-sitter-ocaml.wasm':
    '6123132727e88c1068d244e3d529ac219028b885',
  'src/engine/languages/grammars/tree-sitter-powershell.wasm':
    '2e3e443ac83d462f44d01f774883735acdc80cd9',
  'src/engine/languages/grammars/tree-sitter-sql.wasm': '47ae7982605ebb1280cd6bd75eb81a99152672a5',
};

/** A file as git stores it: its path, the name of its content, and its size in bytes. */
interface TrackedFile {
  readonly path: string;
  readonly blob: string;
  readonly bytes: number;
}

/** Returns a fault for each large file that is not listed, and for each line of the list that no large file needs. */
export function findFaults(
  files: readonly TrackedFile[],
  listed: Readonly<Record<string, string>> = LISTED,
): string[] {
  const large = files.filter(({ bytes }) => bytes > MAX_BYTES);
  const unlisted = large.filter(({ path, blob }) => listed[path] !== blob);
  const paths = new Set(large.map(({ path }) => path));
  const unneeded = Object.keys(listed).filter((path) => !paths.has(path));
  return [
    ...unlisted.map(
      ({ path, blob, bytes }) =>
        `${path} has ${Math.round(bytes / 1000)} kB, and no more than ${MAX_BYTES / 1000} are allowed. Make it smaller. If this is its final form, list it in scripts/large-files.ts: '${path}': '${blob}'.`,
    ),
    ...unneeded.map((path) => `${path} is not large. Remove it from scripts/large-files.ts.`),
  ];
}

/** Returns the files in git's index, so those of the next commit. */
function listFiles(): TrackedFile[] {
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const entries = git(['ls-files', '-s', '-z']).split('\0').filter(Boolean);
  const files = entries.map((entry) => {
    const [head = '', path = ''] = entry.split('\t');
    return { path, blob: head.split(' ')[1] ?? '' };
  });
  const blobs = files.map(({ blob }) => blob).join('\n');
  const sizes = git(['cat-file', '--batch-check=%(objectsize)'], blobs).trim().split('\n');
  return files.map((file, index) => ({ ...file, bytes: Number(sizes[index]) }));
}

if (import.meta.filename === process.argv[1]) {
  const files = listFiles();
  if (files.length === 0) throw new Error('Git tracks no files. Run this in the root of a clone.');
  const faults = findFaults(files);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
