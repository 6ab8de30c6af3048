/** Opens deep links, from the host or from another view. */
export { openDeepLink, showDeepLinkTarget } from './open-deep-link.ts';
