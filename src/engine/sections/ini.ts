import type { Section } from './form.ts';
import { KeyGroups } from './key-groups.ts';
import { findText, readLines } from './lines.ts';
import { SectionList } from './section-list.ts';

/** Length of the start of a line that is read, in UTF-16 units. */
const MAX_READ = 400;
const HEADER = /^\[([^[\]\n]*(?:\[[^[\]\n]*\][^[\]\n]*)*)\][ \t]*(?:[#;]|$)/;

/** Splits INI files by their groups. */
export function splitIni(text: string): Section[] {
  return splitKeys(text, readIniKey);
}

/** Splits properties and environment files by groups of keys. */
export function splitProperties(text: string): Section[] {
  return splitKeys(text, readPropertyKey);
}

/** Splits lines of keys by the headers in brackets, and keys above the first header into groups. */
function splitKeys(text: string, readKey: (line: string) => string): Section[] {
  const list = new SectionList();
  const groups = new KeyGroups(list);
  let isInSection = false;
  let continues = false;
  const lineCount = readLines(text, (line, number) => {
    const at = findText(line);
    const written = line.slice(at, at + MAX_READ);
    const isContinued = continues;
    continues = line.endsWith('\\');
    if (written === '') groups.endBlock();
    else if (isContinued) list.addContent();
    else if (written[0] === '#' || written[0] === ';' || written[0] === '!')
      list.addComment(number);
    else if (written[0] === '[' && HEADER.test(written)) {
      isInSection = true;
      list.open(number, splitHeader(HEADER.exec(written)?.[1] ?? ''));
    } else {
      const key = at > 0 && !written.includes('=') ? '' : readKey(written);
      if (isInSection || at > 0) list.addKey(key);
      else if (key !== '') groups.add(number, key);
      list.addContent();
    }
  });
  return list.end(lineCount);
}

function readIniKey(line: string): string {
  return /^([\w.$*/@-][^=:\s]{0,99})[ \t]*(?:[=:]|$)/.exec(line)?.[1] ?? '';
}

function readPropertyKey(line: string): string {
  return /^(?:export[ \t]+)?([\w.$/@-]{1,200})[ \t]*(?:[=:]|[ \t]\S)/.exec(line)?.[1] ?? '';
}

/** Returns the names in a header: `remote` and `origin` of `remote "origin"`. */
function splitHeader(header: string): string[] {
  const [, section, name] = /^([\w.-]+)[ \t]+"([^"]*)"$/.exec(header.trim()) ?? [];
  return section && name ? [section, name] : [header];
}
