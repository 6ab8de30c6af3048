; Attributes such as @doc and @spec above a definition belong to it.
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @before.kind)
  (#any-of? @before.kind "doc" "spec" "impl" "deprecated" "since" "typedoc")) @before.node

(call
  target: (identifier) @kind
  (arguments . (alias) @name)
  (do_block)? @body
  (#any-of? @kind "defmodule" "defprotocol" "defimpl")) @definition.module

(call
  target: (identifier) @kind
  (arguments
    .
    [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: (identifier) @name operator: "when")
      (binary_operator left: (call target: (identifier) @name) operator: "when")
      ; def a + b
      (binary_operator left: (_) operator: ["+" "-" "*" "/" "++" "--" "<>" "|>" "==" "<" ">" "<=" ">=" "&&" "||" "|||" "&&&" "<<<" ">>>" "<~" "~>" "<~>" "<<~" "~>>" "+++" "---" ".." "in"] @name right: (_))
    ])
  (do_block)? @body
  (#any-of? @kind
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp")) @definition.function

;; Words that the language itself defines are no calls.
((call target: (identifier) @name) @reference.call
  (#not-any-of? @name
    "alias" "assert" "case" "cond" "def" "defdelegate" "defexception" "defguard" "defguardp" "defimpl" "defmacro"
    "defmacrop" "defmodule" "defn" "defnp" "defoverridable" "defp" "defprotocol" "defstruct" "describe" "doc" "for"
    "if" "import" "moduledoc" "quote" "raise" "receive" "require" "spec" "test" "try" "type" "unless" "unquote" "use"
    "with"))
(call target: (dot right: (identifier) @name)) @reference.call
(binary_operator operator: "|>" right: (identifier) @name) @reference.call
