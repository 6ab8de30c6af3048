/**
 * Runs a typical session in one process: index, edit, index again, search, mark, export. For tests that disturb it:
 * `node journey.ts <root> <data dir> <file to export to>`. Prints a line of JSON for each step that ended:
 * `{"step", "code", "message"}`. The code is the exit code that `locus` would have had, 0 for success.
 */

import { openAppDatabase } from '../../src/backend/app-database.ts';
import { IssueStore } from '../../src/backend/issues.ts';
import { MarkStore } from '../../src/backend/marks.ts';
import { EXIT, EXIT_BY_ERROR } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import type { CliHost } from '../../src/cli/session.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Mark } from '../../src/shared/marks.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { CHUNK, edit, ISSUE, ISSUE_ID } from './journey-parts.ts';

const [root, dataDir, exported] = process.argv.slice(2);
const engine = { dataDir, device: 'cpu' } as const;

/** Repository, open from the first step that could open it until the end, as in the app. */
let opened: Repository | undefined;
let end = async () => {};

await step('index', () => locus('index', root));
edit(root);
await step('update', () => locus('index', root));
await step('search', () => locus('search', root, ISSUE));
await step('mark read', () => mark('read'));
await step('mark edit', () => mark('edit'));
await step('export', () => locus('export', root, ISSUE, '--output', exported));
await end();
process.exit(0);

async function step(name: string, work: () => Promise<{ code: number; message: string }>) {
  console.log(JSON.stringify({ step: name, ...(await work()) }));
}

/** Runs the command line in this process. */
async function locus(...args: string[]): Promise<{ code: number; message: string }> {
  let message = '';
  const host: CliHost = {
    stdout: { write: () => true },
    stderr: {
      write: (text: string) => {
        message += text;
      },
    },
    stdin: Object.assign((async function* () {})(), { isTTY: false }),
    env: {},
    signal: new AbortController().signal,
    openRepository: openOnce,
    diagnose: () => Promise.reject(new Error('not part of the journey')),
  };
  const code = await runCli(args, host);
  return { code, message };
}

/** Marks a chunk as the app does. */
async function mark(wanted: Mark): Promise<{ code: number; message: string }> {
  try {
    const database = openAppDatabase(dataDir);
    try {
      new IssueStore(database).save(root, ISSUE_ID, ISSUE);
      await new MarkStore(database).set(ISSUE_ID, await openOnce(), [
        { chunk: CHUNK, mark: wanted, note: `${wanted}, says the note` },
      ]);
    } finally {
      database[Symbol.dispose]();
    }
    return { code: EXIT.ok, message: '' };
  } catch (error) {
    if (!(error instanceof LocusError))
      return { code: EXIT.unexpected, message: (error as Error).stack ?? String(error) };
    return { code: EXIT_BY_ERROR[error.code], message: `${error.message}\n${error.remedy}` };
  }
}

/** Returns the repository. Only `end` closes it. */
async function openOnce(): Promise<Repository> {
  if (opened) return opened;
  opened = await openRepository(root, engine);
  end = opened.close.bind(opened);
  opened.close = async () => {};
  return opened;
}
