/** Templates of a model's input, such as `Query: {issue}`. */

/** Part of an input: text of the template, or a value, which comes from an issue or a repository. */
export interface PromptPart {
  isValue: boolean;
  text: string;
}

const PLACEHOLDER = /\{([a-z]+)\}/g;

export const listPlaceholders = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** Splits a template at its placeholders. Unknown ones get no text. */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string>>,
): PromptPart[] {
  // Every second part is the name of a placeholder.
  return template
    .split(PLACEHOLDER)
    .map((part, at) =>
      at % 2 === 0 ? { isValue: false, text: part } : { isValue: true, text: values[part] ?? '' },
    )
    .filter(({ text }) => text !== '');
}
