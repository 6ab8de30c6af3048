/** A programming language that Locus reads, as the views know it. */
export interface LanguageInfo {
  /** As chunks and files name it: `python`. */
  name: string;
  /** As people write it. */
  title: string;
  /** Its name in Monaco. */
  monaco: string;
  /** Stem of files that stand for their folders, so that many have it; null where none does. */
  index: string | null;
}
