; Definitions. Captures: see ../python/definitions.scm.

; definition: the header ends with the name, or with the superclass or the parameters after it.
(module name: (_) @definition.name @definition.end) @definition.class
(class
  name: (_) @definition.name @definition.end
  superclass: (superclass (_) @definition.end)?) @definition.class

; Point = Struct.new(:x) do … end
(assignment
  left: [(constant) (scope_resolution)] @definition.name @definition.end
  right: (call
    receiver: (constant) @definition.maker
    method: (identifier) @definition.new
    block: [(do_block) (block)])
  (#match? @definition.maker "^(Class|Data|Module|Struct)$")
  (#match? @definition.new "^(new|define)$")) @definition.class

(method
  name: (_) @definition.name @definition.end
  parameters: (method_parameters ")" @definition.end)?) @definition.function
(singleton_method
  name: (_) @definition.name @definition.end
  parameters: (method_parameters ")" @definition.end)?) @definition.function

; define_method(:name) do … end
(call
  method: (identifier) @definition.maker
  arguments: (argument_list . [(simple_symbol) (string (string_content))] @definition.name @definition.end)
  block: [(do_block) (block)]
  (#match? @definition.maker "^define_(singleton_)?method$")) @definition.function

; before: comments above a definition.
(comment) @before.node

; member: direct members of a class.
(class body: (body_statement (_) @member.node))
(module body: (body_statement (_) @member.node))

; error: text that the parser skipped, and tokens that it inserted.
(ERROR) @error.node
(MISSING) @error.node
