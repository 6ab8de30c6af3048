/** Syntax of a template language: what begins a piece of template code, and how it is read. */
import type { TemplateCode } from './template-code.ts';

export interface TemplateDialect {
  /**
   * Next piece of a template, global: tags of the dialect, and of HTML `<script`, `<!--` and `onclick="`, which are read by all
   * dialects in the same way.
   */
  next: RegExp;
  /** Reads a piece that begins at an offset with these characters. Returns the offset after it. */
  read(code: TemplateCode, at: number, mark: string): number;
}
