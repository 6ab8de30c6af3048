module Shop
using LinearAlgebra
"""
Adds one.
"""
function add(x::Int, cart)::Int
    helper(x)
    Store.insert!(cart, x)
end
total(c) = sum(c)
Base.show(io::IO, c::Cart) = print(io, "x")
# A cart.
struct Cart{T} <: AbstractCart
    items::Vector{T}
    Cart(x) = new(x)
end
mutable struct Box end
abstract type AbstractCart end
macro shout(x)
    :(println($x))
end
f = x -> x
function Base.length(c::Cart) where T
    return 1
end
function g end
const X = 1
add(1, 2) |> total
end
