/** Whether things may move on their way to a new place; what the user's system says, as it is now. */
export const wantsMotion = (): boolean =>
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
