/** Templates of Laravel: `@directive(…)`, `{{ value }}`, `{!! value !!}`, `<x-component>`. */
import type { TemplateDialect } from './dialect.ts';
import { findChains, findQuoted } from './names.ts';
import type { TemplateCode } from './template-code.ts';

const NEXT =
  /<(?:script\b|!--|x-[\w.:-]{1,100}|\?php\b)|\bon[a-z]{3,20}=["']|\{\{(?:--)?|\{!!|(?<![\w@])@[A-Za-z]{1,40}/g;
const CLOSERS: Readonly<Record<string, string>> = {
  '{{': '}}',
  '{{--': '--}}',
  '{!!': '!!}',
  '<?php': '?>',
};
/** Directives that open a part with a name, and those that close it. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  section: ['endsection', 'show', 'stop', 'append', 'overwrite'],
  push: ['endpush'],
  prepend: ['endprepend'],
  slot: ['endslot'],
  fragment: ['endfragment'],
};
const INCLUDES = /^(?:include\w*|extends|component|each|livewire)$/;
const COMPONENT = '<x-';

export const blade: TemplateDialect = { next: NEXT, read };

function read(code: TemplateCode, at: number, mark: string): number {
  if (mark.startsWith('@')) return readDirective(code, at, mark.slice(1));
  const start = at + mark.length;
  if (mark.startsWith(COMPONENT)) {
    code.addInclude(at + COMPONENT.length, mark.slice(COMPONENT.length));
    return start;
  }
  const closer = CLOSERS[mark] ?? '';
  const closing = code.find(closer, start);
  if (closing < 0) return start;
  const end = closing + closer.length;
  if (code.isInScript(at)) code.fillScript(at, end, mark !== '{{--' && mark !== '<?php');
  if (mark !== '{{--') addCalls(code, start, closing);
  return end;
}

function readDirective(code: TemplateCode, at: number, word: string): number {
  const { text } = code;
  const after = at + 1 + word.length;
  const open = text[after] === ' ' ? after + 1 : after;
  const closing = text[open] === '(' ? code.findCloser(open) : -1;
  const end = closing < 0 ? after : closing + 1;
  if (code.isInScript(at)) code.fillScript(at, end, word === 'json' || word === 'js');
  const closers = NAMED[word];
  const quoted = closing < 0 ? null : findQuoted(text, open, closing);
  if (closers && quoted) {
    // With a second argument, the content is in the directive.
    const isShort = /^['"]\s*,/.test(text.slice(quoted.at + quoted.value.length, closing));
    if (!isShort) code.open(at, quoted.value, closers);
  } else if (INCLUDES.test(word) && quoted) code.addInclude(quoted.at, quoted.value);
  else if (closing < 0) code.close(end, word);
  if (closing >= 0) addCalls(code, open, closing);
  return end;
}

/** Adds the functions and methods of PHP that are called. */
function addCalls(code: TemplateCode, start: number, end: number): void {
  for (const { parts, after } of findChains(code.text, start, end))
    if (after.startsWith('(')) code.addChain(parts);
}
