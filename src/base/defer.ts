/** Returns an object that, declared with `using`, calls `close` at the end of the block. Node 22 has no `DisposableStack`. */
export const defer = (close: () => void): Disposable => ({ [Symbol.dispose]: close });
