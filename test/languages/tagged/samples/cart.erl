%% A cart.
-module(cart).
-export([add/2]).
-include("cart.hrl").
-record(item, {price = 0, name}).
-define(MAX, 10).
-type t() :: term().

%% @doc Adds one.
-spec add(term(), list()) -> list().
add(X, []) ->
    [X];
add(X, Cart) when is_list(Cart) ->
    store:insert(X),
    helper(X),
    F = fun(Y) -> Y end,
    [X | Cart].

helper(X) -> compute(X).
