/** End of a model's thoughts: its answer follows. */
const END = /^[\s\S]*(?:<\/think(?:ing)?>|\[\/THINK\]|<\|channel\|>final<\|message\|>)/;
/** Start of thoughts that are cut off. */
const START = /^\s*(?:<think(?:ing)?>|\[THINK\]|<\|channel\|>analysis)[\s\S]*$/;

/**
 * Removes the thoughts that a reasoning model writes before its answer, if its server leaves them in the text. The marks are those of
 * DeepSeek and Qwen (`<think>`, whose start some servers omit), Magistral (`[THINK]`) and gpt-oss (`<|channel|>`).
 */
export function removeThoughts(text: string): string {
  // An answer may quote such a mark.
  return /^\s*\{/.test(text) ? text : text.replace(END, '').replace(START, '');
}
