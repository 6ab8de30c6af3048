/** Paths of routes in one form: `/users/:id`, whatever the framework writes. */

/** Returns true for a path, and for the start of a regular expression of one. */
export function isRouteShaped(text: string): boolean {
  return /^(?:[A-Z]{3,7} )?\^?\//.test(text);
}

/**
 * Writes a path with `:name` for each parameter: `<int:pk>`, `{id}`, `{id:[0-9]+}`, `(?P<pk>\d+)`, `*path` and `:id(\d+)`. It begins
 * with a slash and ends with none.
 */
export function cleanRoute(written: string): string {
  const path = written
    .trim()
    .replace(/^\^|\$$/g, '')
    .replace(/\(\?P?<(\w+)>[^()]*(?:\([^()]*\)[^()]*)*\)/g, ':$1')
    .replace(/<(?:[^<>:]*:)?(\w+)>/g, ':$1')
    .replace(/\{\*?(\w+)(?:[:?=][^{}]*(?:\{[^{}]*\}[^{}]*)*)?\.{0,3}\??\}/g, ':$1')
    .replace(/\/\*(\w+)/g, '/:$1')
    .replace(/(:\w+)\([^()]*\)/g, '$1')
    .replace(/\([^()]*\)/g, '')
    .replace(/\\/g, '')
    .replace(/[?+*^$]/g, '');
  const parts = path.split('/').filter((part) => part !== '');
  return `/${parts.join('/')}`;
}

export function joinRoutes(before: string, after: string): string {
  return `${before}/${after}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}
