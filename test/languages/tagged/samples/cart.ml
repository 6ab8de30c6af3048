(* A cart. *)
open Printf

(** Adds one. *)
let add x cart = 
  let inner y = y in
  helper x;
  Store.insert x (inner cart)
let rec even n = n = 0 || odd (n - 1)
and odd n = even (n - 1)
let total = List.length
let x = 1
type t = { id : int } 
type color = Red | Green of int
module Inner = struct
  let deep a = a
  type u = int
end
module type S = sig
  val insert : int -> unit
end
module Make (X : S) = struct let run () = X.insert 1 end
class shop name = object (self)
  method price = 1
  method private go x = self#price + x
end
exception Bad of string
external native : int -> int = "native"
let ( +++ ) a b = a + b
let f = fun x -> x
let () = print_endline (add 1 2)
