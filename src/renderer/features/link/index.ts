/** Links from outside, as the host hands them over. */
export { followLink } from './follow.ts';
