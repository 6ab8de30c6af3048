namespace Shop
/// A cart.
module Cart =
    open System
    /// Adds one.
    let add x cart =
        let inner y = y
        helper x
        Store.insert x (inner cart)
    let rec even n = n = 0
    type Item = { Price: int }
    type Kind = A | B of int
type Shop(name: string) =
    let mutable x = 1
    member this.Price = 1
    member this.Add(x: int) = helper x
    static member Make() = Shop("x")
    interface IDisposable with
        member _.Dispose() = ()
type IStore =
    abstract member Insert: int -> unit
