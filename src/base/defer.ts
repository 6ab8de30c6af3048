/** Returns what calls `close` at the end of the block that declares it with `using`. Node 22 has no `DisposableStack`. */
export const defer = (close: () => void): Disposable => ({ [Symbol.dispose]: close });
