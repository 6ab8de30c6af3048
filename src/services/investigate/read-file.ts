/** Answers an agent's request to read a file: only files of the index, as they were indexed. */
import { isAbsolute, relative, resolve, sep } from 'node:path';

import { isInside } from '../../base/folders.ts';
import { badInput } from '../../shared/errors.ts';
import type { Repository } from '../../shared/repository.ts';
import { TOOL_SERVER } from './agents.ts';

/** Maximum length of an answer, in characters. */
const MAX_TEXT = 200_000;

export interface ReadFileRequest {
  /** Absolute path. */
  path: string;
  /** First line, from 1. */
  line?: number | null | undefined;
  /** Maximum number of lines. */
  limit?: number | null | undefined;
}

/**
 * Returns the text of a file of the repository, or some of its lines. The file system is not touched: the index has the text, so
 * neither `..` nor a link leads out of the repository.
 * @throws LocusError `bad-input` for a path outside the repository, `not-found` for a file that is not in the index
 */
export async function readIndexedFile(
  { repository, root }: { repository: Pick<Repository, 'file'>; root: string },
  { path, line, limit }: ReadFileRequest,
): Promise<string> {
  if (!isAbsolute(path) || !isInside(resolve(path), root))
    throw badInput(
      'This file is outside the repository.',
      `Name a file below ${root}, or use the tools of the server ${TOOL_SERVER}.`,
    );
  const inside = relative(root, resolve(path)).split(sep).join('/');
  const { text } = await repository.file({ path: inside });
  const start = Math.max(0, (line ?? 1) - 1);
  const lines = text.split('\n');
  return lines
    .slice(start, limit == null ? undefined : start + limit)
    .join('\n')
    .slice(0, MAX_TEXT);
}
