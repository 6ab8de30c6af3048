import { readFileSync } from 'node:fs';
import type { Language } from '../languages/index.ts';

/**
 * What the call resolver must know of a language. It is data (`languages/<name>/graph.json`), so that
 * another language of modules, classes and imports needs no code here.
 */
export interface GraphLanguage
  extends Pick<
    Language,
    'extensions' | 'packageFile' | 'instanceNames' | 'classNames' | 'superCall'
  > {
  /** Folder names that hold top-level modules even where they look like packages: `src`. */
  sourceRoots: string[];
  /** Attribute of an instance that is its class: `__class__`. */
  classAttribute: string;
  /** Method that runs when an instance is called: `__call__`. */
  callMethod: string;
  /** Classes that every class derives from; they add nothing to resolve. */
  rootClasses: string[];
  /** Decorators, by last name, that turn a method into an attribute. */
  propertyDecorators: string[];
  /** Annotations, by last name, that mean the receiver's class: `Self`. */
  selfTypes: string[];
  /** Start of names that a star import leaves out. */
  privatePrefix: string;
  /** First names of the standard library's modules, which a repository's inner folders do not shadow. */
  standardModules: ReadonlySet<string>;
  /** Method names of the language's own types and libraries: too common to be guessed at. */
  commonNames: ReadonlySet<string>;
}

const cache = new Map<Language, GraphLanguage>();

/** A language with what its `graph.json` and the word lists named there say. */
export function graphLanguage(language: Language): GraphLanguage {
  let known = cache.get(language);
  if (!known) {
    const folder = new URL(`../languages/${language.name}/`, import.meta.url);
    const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
    const words = (file: string) => new Set(read(file).split(/\s+/).filter(Boolean));
    const graph = JSON.parse(read('graph.json'));
    known = {
      ...language,
      ...graph,
      standardModules: words(graph.standardModules),
      commonNames: words(graph.commonNames),
    } as GraphLanguage;
    cache.set(language, known);
  }
  return known;
}
