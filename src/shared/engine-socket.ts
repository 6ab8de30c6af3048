/** Names for authenticating the app's page with the token of `locus serve`. Unlike a cookie, it is not sent to other ports. */

/** Path of the WebSocket. A plain request is answered with 204, or with 401 if its bearer token is wrong. */
export const ENGINE_PATH = '/engine';
/** Subprotocol of the WebSocket. The token is offered as the second one. */
export const ENGINE_PROTOCOL = 'locus';
/** Key of the token in the storage of the page's origin, which includes the port. */
export const TOKEN_KEY = 'locus-token';
