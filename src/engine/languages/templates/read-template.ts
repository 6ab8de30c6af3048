import { getAttribute, isCodeScript, MarkupTags } from '../javascript/markup-tags.ts';
import type { Markup } from '../markup.ts';
import type { TemplateDialect } from './dialect.ts';
import { type ChainPart, findChains } from './names.ts';
import { TemplateCode } from './template-code.ts';

const SCRIPT = '<script';
/** Longest handler in an attribute, in UTF-16 units. */
const MAX_HANDLER = 1_000;
/** Template code in a handler, whose names would be mixed with those of the script. */
const TEMPLATE_CODE = /[{}]|<%|@/;

/**
 * Reads a template: its scripts, the handlers of its elements, and what the dialect finds. Everything in it is read once, from
 * start to end, so it takes linear time.
 */
export function readTemplate(text: string, dialect: TemplateDialect): Markup {
  const code = new TemplateCode(text);
  const tags = new MarkupTags(text, false);
  const { next } = dialect;
  for (let at = 0; at < text.length; ) {
    next.lastIndex = at;
    const found = next.exec(text);
    if (!found) break;
    const [mark] = found;
    const { index } = found;
    const isHtml = mark === SCRIPT || mark === '<!--' || mark.startsWith('on');
    let end = index + mark.length;
    if (!isHtml) end = dialect.read(code, index, mark);
    else if (!code.isInScript(index)) {
      if (mark === SCRIPT) addScript(code, tags, index);
      else if (mark === '<!--') end = tags.skipComment(index);
      else readHandler(code, end);
    }
    at = Math.max(end, index + 1);
  }
  return code.finish();
}

/** Adds the script whose tag begins at an offset. What the dialect finds in its tag and in it is read afterwards. */
function addScript(code: TemplateCode, tags: MarkupTags, at: number): void {
  const tag = tags.readTag(at);
  if (tag?.name !== 'script' || code.text[tag.end - 1] !== '>') return;
  const closing = code.find('</script', tag.end);
  const end = closing < 0 ? code.text.length : closing;
  const isCode = isCodeScript(code.text, tag) && getAttribute(code.text, tag, 'src') === null;
  if (isCode && code.text.slice(tag.end, end).trim() !== '') code.addScript(tag.end, end);
}

/** Reads the functions that a handler calls, such as `onclick="save(this)"`. */
function readHandler(code: TemplateCode, start: number): void {
  const { text } = code;
  const value = text.slice(start, start + MAX_HANDLER);
  const length = value.indexOf(text.charAt(start - 1));
  if (length < 0 || TEMPLATE_CODE.test(value.slice(0, length))) return;
  const names = Array.from(findChains(text, start, start + length))
    .filter(({ after, parts }) => after.startsWith('(') && parts.length === 1)
    .map(({ parts: [first] }): ChainPart => first);
  code.addHandler(start - 1, start + length, names);
}
