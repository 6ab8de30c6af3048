; add <- function(x) …
(binary_operator
  lhs: [(identifier) (string)] @name
  operator: ["<-" "<<-" "=" ":="]
  rhs: (function_definition body: (_)? @body)) @definition.function
; Classes of R6 and reference classes, and their methods.
(binary_operator
  lhs: (identifier) @name
  rhs: (call
    function: [
      (identifier) @maker
      (namespace_operator rhs: (identifier) @maker)
    ])
  (#any-of? @maker "R6Class" "setRefClass" "ggproto" "new_class")) @definition.class
(call
  function: [
    (identifier) @maker
    (namespace_operator rhs: (identifier) @maker)
  ]
  arguments: (arguments
    (argument
      value: (call
        arguments: (arguments
          (argument
            name: (identifier) @name
            value: (function_definition body: (_)? @body)) @definition.method))))
  (#any-of? @maker "R6Class" "setRefClass"))
(call
  function: (identifier) @maker
  arguments: (arguments
    (argument
      name: (identifier) @name
      value: (function_definition body: (_)? @body)) @definition.method)
  (#eq? @maker "ggproto"))
; setMethod("show", "Cart", function(object) …)
(call
  function: [
    (identifier) @maker
    (namespace_operator rhs: (identifier) @maker)
  ]
  arguments: (arguments . (argument value: (string content: (string_content) @name)))
  (#any-of? @maker "setMethod" "setGeneric" "setReplaceMethod")) @definition.method
(call
  function: [
    (identifier) @maker
    (namespace_operator rhs: (identifier) @maker)
  ]
  arguments: (arguments . (argument value: (string content: (string_content) @name)))
  (#any-of? @maker "setClass" "setClassUnion")) @definition.class

(call function: (identifier) @name) @reference.call
(call function: (namespace_operator rhs: (identifier) @name)) @reference.call
(call function: (extract_operator rhs: (identifier) @name)) @reference.call
