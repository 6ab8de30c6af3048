; Definitions. Captures: see ../python/definitions.scm.

; definition: a namespace; without a body, it extends to the next one.
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
; Declarations in an interface or an abstract class.
(method_declaration name: (name) @definition.name !body) @definition.function

; Closures in a variable.
(expression_statement
  (assignment_expression
    left: (variable_name (name) @definition.name)
    right: (anonymous_function
      body: (compound_statement . "{" @definition.end) @definition.body))) @definition.function
(expression_statement
  (assignment_expression
    left: (variable_name (name) @definition.name)
    right: (arrow_function "=>" @definition.end body: (_) @definition.body))) @definition.function

; An unnamed class is named `class`.
(object_creation_expression
  (anonymous_class
    "class" @definition.name
    body: (declaration_list . "{" @definition.end) @definition.body) @definition.class)

; before: comments above a definition.
(comment) @before.node

; member: direct members of a type.
(declaration_list (_) @member.node)
(enum_declaration_list (_) @member.node)

; error: text that the parser skipped, and tokens that it inserted.
(ERROR) @error.node
(MISSING) @error.node
