/** Recognizes issues that only show or link to something. The words of an address are not those of a problem. */
import { getHeading, isTemplateHeading } from './template.ts';

/** Content of an issue without words. */
export type Wordless = 'picture' | 'link';

/** Maximum UTF-16 units of an issue without words. */
const MAX_WORDLESS = 20_000;

const PICTURE_TAG = /!\[[^\]\n]{0,200}\]\([^)\n]{1,2000}\)|<(?:img|video)\b[^>]{0,2000}>/gi;
const URL = /\bhttps?:\/\/[^\s<>"'`)\]]+/gi;
/** Address of a picture or a video, or of an attachment, whose kind only its host knows. */
const PICTURE_URL =
  /\.(?:apng|avif|gif|jpe?g|mov|mp4|png|svg|webm|webp)(?:[?#].{0,500})?$|^https:\/\/(?:github\.com\/user-attachments\/assets|user-images\.githubusercontent\.com)\//i;
const COMMENT = /<!--[\s\S]{0,5000}?-->/g;

/** Returns what an issue consists of, apart from headings of a template; null if it has words, or nothing at all. */
export function findWordless(text: string): Wordless | null {
  if (text.length > MAX_WORDLESS) return null;
  let found: Wordless | null = null;
  const take = (kind: Wordless) => {
    if (found !== 'picture') found = kind;
    return ' ';
  };
  const words = text
    .replace(COMMENT, ' ')
    .replace(PICTURE_TAG, () => take('picture'))
    .replace(URL, (url) => take(PICTURE_URL.test(url) ? 'picture' : 'link'));
  return words.split('\n').some(hasWords) ? null : found;
}

function hasWords(line: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(line)) return false;
  const heading = getHeading(line.trim());
  return heading === null || !isTemplateHeading(heading);
}
