import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { syntheticPackage, writeFiles } from './repository.ts';

/** Repository of the journey in `journey.ts`, for it and the tests that check its outcome. */
export const FILES = syntheticPackage(30);
export const ISSUE = 'parse_cookie_0 raises ValueError in pkg/module_0.py although strict is False';
export const ISSUE_ID = '3a6f1a52-76a5-4e2c-9f0e-2f7a1b0c9d11';
export const CHUNK = 'pkg/module_0.py::parse_cookie_0';

/** Changes a file, adds one and deletes one. */
export function edit(root: string): void {
  writeFiles(root, {
    'pkg/module_3.py': `${FILES['pkg/module_3.py']}\n\ndef dump_query_3(value):\n    return Query3(value)\n`,
    'pkg/added.py':
      'from pkg.module_3 import dump_query_3\n\n\ndef dump_all(values):\n    return [dump_query_3(v) for v in values]\n',
  });
  rmSync(join(root, 'pkg/module_7.py'));
}
