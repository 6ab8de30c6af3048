#!/usr/bin/env node
import { parseArgs } from 'node:util';
import inkpress, { Site } from '../lib/index.js';
import feed from '../lib/plugins/feed.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { drafts: { type: 'boolean' }, watch: { type: 'boolean' }, base: { type: 'string' } },
});

const [source = '.'] = positionals;
const plugins = values.base ? [feed({ base: values.base })] : [];

async function once() {
  const count = await inkpress.build(source, { drafts: values.drafts, plugins });
  console.log(`${count} pages`);
}

async function watch() {
  const { watch } = await import('node:fs/promises');
  for await (const { filename } of watch(source, { recursive: true })) {
    if (!filename.startsWith('_site')) await once();
  }
}

await once();
if (values.watch) await watch();
export { Site };
