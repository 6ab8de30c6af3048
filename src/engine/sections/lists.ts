import type { Section } from './form.ts';
import { findText, readLines } from './lines.ts';
import { SectionList } from './section-list.ts';

/** Length of the start of a line that is read, in UTF-16 units. */
const MAX_READ = 400;
const WORD = /[\w@][\w./@-]{1,79}/g;
const MAX_WORDS = 2;

/** Keeps a list in one section. Its keys are the first words of its lines: packages, owners, folders. */
export function splitList(text: string): Section[] {
  const sections = new SectionList();
  const lineCount = readLines(text, (line) => {
    const at = findText(line);
    if (line[at] === '#' || line.startsWith('//', at)) return;
    const words = line.slice(at, at + MAX_READ).matchAll(WORD);
    for (const [word] of words.take(MAX_WORDS)) if (/[A-Za-z]/.test(word)) sections.addKey(word);
  });
  return sections.end(lineCount);
}

/** Splits a Jenkinsfile by its stages. */
export function splitStages(text: string): Section[] {
  const sections = new SectionList();
  const lineCount = readLines(text, (line, number) => {
    const at = findText(line);
    const written = line.slice(at, at + MAX_READ);
    const [, double, single] = /^stage[ \t]*\([ \t]*(?:"([^"]*)"|'([^']*)')/.exec(written) ?? [];
    const stage = double ?? single ?? '';
    if (stage !== '') sections.open(number, [stage]);
    if (written.startsWith('//')) sections.addComment(number);
    else if (written !== '') sections.addContent();
  });
  return sections.end(lineCount);
}
