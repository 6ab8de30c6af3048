/** White space for the text, in the same rows and columns, so that what is around it stays where it was. */
export function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
