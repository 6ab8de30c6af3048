; Definitions. Captures: see ../python/definitions.scm.

; definition: a namespace; without a body it goes on to the next one.
(namespace_definition name: (_) @definition.name !body) @definition.namespace
(namespace_definition name: (_) @definition.name body: (_) @definition.body) @definition.namespace

(class_declaration
  name: (name) @definition.name
  body: (declaration_list . "{" @definition.end) @definition.body) @definition.class
(interface_declaration
  name: (name) @definition.name
  body: (declaration_list . "{" @definition.end) @definition.body) @definition.class
(trait_declaration
  name: (name) @definition.name
  body: (declaration_list . "{" @definition.end) @definition.body) @definition.class
(enum_declaration
  name: (name) @definition.name
  body: (enum_declaration_list . "{" @definition.end) @definition.body) @definition.class

(function_definition
  name: (name) @definition.name
  body: (compound_statement . "{" @definition.end) @definition.body) @definition.function
(method_declaration
  name: (name) @definition.name
  body: (compound_statement . "{" @definition.end) @definition.body) @definition.function
; Only declared, in an interface or an abstract class.
(method_declaration name: (name) @definition.name !body) @definition.function

; Closures that a variable holds.
(expression_statement
  (assignment_expression
    left: (variable_name (name) @definition.name)
    right: (anonymous_function
      body: (compound_statement . "{" @definition.end) @definition.body))) @definition.function
(expression_statement
  (assignment_expression
    left: (variable_name (name) @definition.name)
    right: (arrow_function "=>" @definition.end body: (_) @definition.body))) @definition.function

; A class without a name is called as it is written: `class`.
(object_creation_expression
  (anonymous_class
    "class" @definition.name
    body: (declaration_list . "{" @definition.end) @definition.body) @definition.class)

; before: the comment above.
(comment) @before.node

; member: what stands directly in a type.
(declaration_list (_) @member.node)
(enum_declaration_list (_) @member.node)

; error: what the parser skipped or made up.
(ERROR) @error.node
(MISSING) @error.node
