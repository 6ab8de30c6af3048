/** Links from outside, as the host hands them over, and those that a view has made. */
export { arriveAt, followLink } from './follow.ts';
