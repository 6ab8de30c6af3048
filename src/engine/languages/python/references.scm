; References. `name` is the last name of the callee; `chain` is the whole of a dotted one.

; call: any call.
(call function: (identifier) @call.name)
(call function: (attribute attribute: (identifier) @call.name) @call.chain)
; The grammar reads `[*f()]` as a call of `*f`.
(call function: (list_splat (identifier) @call.name))

; A class statement calls its metaclass.
(class_definition
  superclasses: (argument_list
    (keyword_argument name: (identifier) @call.keyword value: (identifier) @call.name))
  (#eq? @call.keyword "metaclass"))
(class_definition
  superclasses: (argument_list
    (keyword_argument
      name: (identifier) @call.keyword
      value: (attribute attribute: (identifier) @call.name) @call.chain))
  (#eq? @call.keyword "metaclass"))

; decorator: with and without arguments.
(decorator (identifier) @decorator.name)
(decorator (attribute attribute: (identifier) @decorator.name) @decorator.chain)
(decorator (call function: (identifier) @decorator.name))
(decorator (call function: (attribute attribute: (identifier) @decorator.name) @decorator.chain))

; base: a base class; for `Generic[T]`, it is `Generic`.
(class_definition superclasses: (argument_list (identifier) @base.name))
(class_definition
  superclasses: (argument_list (attribute attribute: (identifier) @base.name) @base.chain))
(class_definition superclasses: (argument_list (subscript value: (identifier) @base.name)))
(class_definition
  superclasses: (argument_list
    (subscript value: (attribute attribute: (identifier) @base.name) @base.chain)))

; import: `module` for `import a.b`, `from` and `member` for `from a import b`.
(import_statement name: (dotted_name) @import.module)
(import_statement
  name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.from name: (dotted_name) @import.member)
(import_from_statement
  module_name: (_) @import.from
  name: (aliased_import name: (dotted_name) @import.member alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.from (wildcard_import) @import.member)
