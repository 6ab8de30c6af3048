/** Replaces a text by white space of the same size, so that the text around it keeps its position. */
export function blankOut(text: string): string {
  return text.replace(/[^\r\n]+/g, (run) => ' '.repeat(run.length));
}
