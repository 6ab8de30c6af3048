import { blank } from '../languages/blank.ts';
import type { Passage } from './passages.ts';

/** `ann@host:~/shop (main)$ `, `[root@host shop]# `, `(env) ann@host:/tmp$ `: who typed, where and in which folder. */
const PROMPT =
  /^([ \t>]{0,8})((?:\([\w.-]{1,60}\) )?(?:[\w.-]{1,60}@[\w.-]{1,80}:[~/][^\n$#]{0,200}?|\[[\w.-]{1,60}@[\w.-]{1,80} [^\n\]$#]{1,200}\]))[$#](?= )/gm;

/**
 * The passages with spaces in the place of a shell's prompts, but for the last character, which is the dollar of all: the folder
 * of whoever typed would be searched for as often as anything was typed.
 */
export function withoutPrompts(passages: readonly Passage[]): Passage[] {
  return passages.map((passage) => ({
    ...passage,
    text: passage.text.replace(
      PROMPT,
      (_, before: string, prompt: string) => `${before}${blank(prompt)}$`,
    ),
  }));
}
