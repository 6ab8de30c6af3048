defmodule Shop.Cart do
  @moduledoc """
  A cart.
  """
  use GenServer
  alias Shop.Item
  defstruct items: []

  @type t :: %__MODULE__{}

  # Adds one.
  @doc "Adds."
  @spec add(t, term) :: t
  def add(cart, item) when is_list(item) do
    item |> convert() |> persist
    Store.insert(cart, item)
    helper(item)
  end
  def add(cart, nil), do: cart
  defp helper(x), do: x
  def zero, do: 0
  defmacro shout(x) do
    quote do: unquote(x)
  end
  defguard is_odd(x) when rem(x, 2) == 1
  defdelegate size(c), to: Store
  def a + b, do: 1
  defimpl String.Chars, for: Cart do
    def to_string(c), do: "x"
  end
end
defprotocol Shop.Sized do
  def size(x)
end
defmodule CartTest do
  use ExUnit.Case
  describe "add" do
    test "adds one", %{a: a} do
      assert add(a)
    end
  end
end
