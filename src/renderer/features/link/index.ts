/** Opens deep links, from the host or from another view. */
export { arriveAt, followLink } from './follow.ts';
