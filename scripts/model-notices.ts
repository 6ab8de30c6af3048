/** Notices for models whose weights keep the license of the model from which their training started. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Notice } from './notices.ts';

/**
 * Returns a notice for each model with another license than the project's.
 * @throws Error if such a model comes without the text of its license
 */
export function collectModelNotices(root: string): Notice[] {
  const own = readJson(join(root, 'package.json')).license;
  return globSync('models/*/model.json', { cwd: root })
    .sort()
    .flatMap((path) => {
      const { id, version, license, trainedOn } = readJson(join(root, path));
      if (license === own) return [];
      const text = readFileSync(join(root, dirname(path), 'LICENSE'), 'utf8');
      return [{ name: id, version, license, text: `Trained on: ${trainedOn}\n\n${text.trim()}` }];
    });
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
