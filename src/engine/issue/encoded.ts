/** Keys, certificates and other bytes written as letters: no words, though their pieces look like some. */

const BEGINS = /^[ \t>]{0,20}-----BEGIN [A-Z\d ]{1,60}-----/;
const ENDS = /-----END [A-Z\d ]{1,60}-----/;
/** A header of PEM, or a line of Base64, the last one of which is short. */
const INSIDE = /^[ \t>]{0,20}(?:[A-Z][\w-]{1,40}: .*|[A-Za-z\d+/]{0,240}={0,2})$/;
/** Outside of PEM, where a long name is possible: as long as encoders break lines, in both cases and with several digits. */
const BASE64 =
  /^[ \t>]{0,20}(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=(?:\D*\d){3})[A-Za-z\d+/]{60,240}={0,2}$/;

/** Says of lines in order whether they are encoded. Takes the beginning of each, without blanks at its end (`headOf`). */
export class EncodedReader {
  #isInside = false;

  isEncoded(head: string): boolean {
    if (BEGINS.test(head)) {
      this.#isInside = !ENDS.test(head);
      return true;
    }
    if (!this.#isInside) return BASE64.test(head);
    const isLast = ENDS.test(head);
    const isEncoded = isLast || INSIDE.test(head);
    this.#isInside = isEncoded && !isLast;
    return isEncoded;
  }
}
