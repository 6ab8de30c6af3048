import type { Section } from './form.ts';
import { SectionList } from './section-list.ts';
import { TextCursor } from './text-cursor.ts';

/** Length of the start of a tag that is read, in UTF-16 units. */
const MAX_READ = 400;
const TAG = /^<([A-Za-z_][\w:.-]{0,99})/;
/** Attributes and elements that name the element around them. */
const NAME_ATTRIBUTE =
  /\s(?:[\w-]{1,40}:)?(?:id|name|key|Name|Key|Include|Update)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)')/;
const NAME_ELEMENTS = new Set(['artifactId', 'name', 'id', 'key']);

/** Splits XML by its elements, to depth two. */
export function splitXml(text: string): Section[] {
  return new XmlSplitter(text).split();
}

/** Splits XML by the elements in its root, to depth two. Their names are those of the tag and of its `id` or `name`. */
class XmlSplitter {
  readonly #cursor: TextCursor;
  readonly #list = new SectionList();
  /** Number of open elements, and name of the root and of the open element of depth one. */
  #depth = 0;
  #root = '';
  #top = '';
  /** Path of the open element of depth two while it has no name besides its tag; null otherwise. */
  #unnamed: string[] | null = null;
  #tokenLine = 0;

  constructor(text: string) {
    this.#cursor = new TextCursor(text);
  }

  split(): Section[] {
    const cursor = this.#cursor;
    while (cursor.moveTo('<')) {
      const { line } = cursor;
      if (!this.#readToken()) break;
      this.#tokenLine = Math.max(line, cursor.line);
    }
    cursor.moveToEnd();
    return this.#list.end(cursor.lineCount);
  }

  /** Reads what begins at the cursor. Returns false if it has no end. */
  #readToken(): boolean {
    const cursor = this.#cursor;
    if (cursor.startsWith('<!--')) return this.#readComment();
    if (cursor.startsWith('<![CDATA[')) return cursor.moveBehind(']]>');
    if (cursor.startsWith('<?')) return cursor.moveBehind('?>');
    if (cursor.startsWith('<!')) return cursor.moveBehind('>');
    if (cursor.startsWith('</')) {
      this.#depth = Math.max(0, this.#depth - 1);
      if (this.#depth < 3) this.#unnamed = null;
      return cursor.moveBehind('>');
    }
    const { line } = cursor;
    const written = cursor.peek(MAX_READ);
    const tag = TAG.exec(written)?.[1];
    if (!tag) return cursor.skip(1);
    const end = cursor.moveBehindTag();
    if (end === null) return false;
    this.#openElement(tag, written.slice(0, end.length), line);
    if (!end.isEmpty) this.#depth += 1;
    return true;
  }

  #readComment(): boolean {
    const { line } = this.#cursor;
    const isAlone = this.#tokenLine < line;
    const isClosed = this.#cursor.moveBehind('-->');
    for (let at = line; isAlone && at <= this.#cursor.line; at++) this.#list.addComment(at);
    return isClosed;
  }

  #openElement(written: string, tagText: string, line: number): void {
    const tag = written.slice(written.indexOf(':') + 1);
    const [, double, single] = NAME_ATTRIBUTE.exec(tagText) ?? [];
    const name = double ?? single ?? '';
    if (this.#depth === 0) this.#root = tag;
    else if (this.#root === 'plist') this.#openProperty(tag, line);
    else if (this.#depth === 1) {
      this.#top = name === '' ? tag : `${tag} ${name}`;
      this.#list.open(line, [this.#top], [name]);
    } else if (this.#depth === 2) this.#openChild(tag, name, line);
    else this.#readNested(tag, name);
  }

  #openChild(tag: string, name: string, line: number): void {
    const path = [this.#top, name === '' ? tag : `${tag} ${name}`];
    this.#list.open(line, path, [name]);
    this.#list.addContent();
    this.#unnamed = name === '' ? path : null;
  }

  #readNested(tag: string, name: string): void {
    this.#list.addKey(name === '' ? tag : name);
    if (this.#depth !== 3 || !NAME_ELEMENTS.has(tag)) return;
    const text = this.#readText();
    if (this.#unnamed !== null && text !== '') {
      this.#list.rename(`${this.#unnamed[1]} ${text}`);
      this.#unnamed = null;
    }
    this.#list.addKey(text);
  }

  /** Opens a property of an Apple list, whose name is the text of an element before its value. */
  #openProperty(tag: string, line: number): void {
    if (tag !== 'key') return;
    const name = this.#readText();
    if (this.#depth > 2) this.#list.addKey(name);
    else this.#list.open(line, [name]);
    this.#list.addContent();
  }

  /** Returns the text at the cursor, up to the next tag. */
  #readText(): string {
    const text = this.#cursor.peek(MAX_READ);
    const end = text.indexOf('<');
    return end < 0 ? '' : text.slice(0, end).trim();
  }
}
