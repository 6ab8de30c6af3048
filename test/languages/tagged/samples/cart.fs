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
module Handlers =
    let webApp : Handler = choose [ add ]
    let internal render (cart: Cart) : Handler =
        helper cart
    let inline private price x = x
type Format =
    /// Reads one.
    [<Extension>]
    static member Read(x: string) =
        match x with
        | Some i -> i
        | _ -> 2

    /// Writes one.
    [<Extension>]
    static member Write(x: string) =
        let c = 1
        // Deep inside.
        c

    /// Both.
    member _.Both x = x
/// Tests it.
[<Fact>]
let ``adds one item`` () =
    let text = 1
    text
let encode (x: int) =
    if x > 0 then
#if NETSTANDARD2_0
        write x
#else
        writeSpan x
#endif
    else
        1
