import type { ModelKind } from './kind.ts';
import { KINDS } from './kinds/index.ts';
import type { Manifest } from './manifest.ts';
import { ModelFiles } from './model-files.ts';
import type { InputMaker } from './types.ts';

export function createInputs(folder: string, manifest: Manifest): Promise<InputMaker> {
  const kind: ModelKind = KINDS[manifest.kind];
  return kind.createInputs(new ModelFiles(folder, manifest), manifest);
}
