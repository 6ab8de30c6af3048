; Definitions. A capture is named `role.part`, and all captures of a pattern have the same role.

; definition: a type or a method; `definition.end` is the token that ends its header.
(class_declaration
  name: (identifier) @definition.name
  body: (class_body . "{" @definition.end) @definition.body) @definition.class
(interface_declaration
  name: (identifier) @definition.name
  body: (interface_body . "{" @definition.end) @definition.body) @definition.class
(enum_declaration
  name: (identifier) @definition.name
  body: (enum_body . "{" @definition.end) @definition.body) @definition.class
(record_declaration
  name: (identifier) @definition.name
  body: (class_body . "{" @definition.end) @definition.body) @definition.class
(annotation_type_declaration
  name: (identifier) @definition.name
  body: (annotation_type_body . "{" @definition.end) @definition.body) @definition.class

; Unnamed classes: of an enum constant, of a field.
(enum_constant
  name: (identifier) @definition.name
  body: (class_body . "{" @definition.end) @definition.body) @definition.class
(field_declaration
  declarator: (variable_declarator
    name: (identifier) @definition.name
    value: (object_creation_expression
      (class_body . "{" @definition.end) @definition.body))
  (#not-match? @definition.body "^[{]\\s*[}]$")) @definition.class

; Methods are in one of these. Methods of other anonymous classes belong to the definition around the class.
(class_declaration body: (class_body [
  (method_declaration name: (identifier) @definition.name
    body: (block . "{" @definition.end)? @definition.body)
  (constructor_declaration name: (identifier) @definition.name
    body: (constructor_body . "{" @definition.end) @definition.body)
] @definition.function))
(record_declaration body: (class_body [
  (method_declaration name: (identifier) @definition.name
    body: (block . "{" @definition.end)? @definition.body)
  (constructor_declaration name: (identifier) @definition.name
    body: (constructor_body . "{" @definition.end) @definition.body)
  (compact_constructor_declaration name: (identifier) @definition.name
    body: (block . "{" @definition.end) @definition.body)
] @definition.function))
(enum_body_declarations [
  (method_declaration name: (identifier) @definition.name
    body: (block . "{" @definition.end)? @definition.body)
  (constructor_declaration name: (identifier) @definition.name
    body: (constructor_body . "{" @definition.end) @definition.body)
] @definition.function)
(interface_body
  (method_declaration name: (identifier) @definition.name
    body: (block . "{" @definition.end)? @definition.body) @definition.function)
(enum_constant body: (class_body
  (method_declaration name: (identifier) @definition.name
    body: (block . "{" @definition.end)? @definition.body) @definition.function))
(field_declaration declarator: (variable_declarator value: (object_creation_expression (class_body
  (method_declaration name: (identifier) @definition.name
    body: (block . "{" @definition.end)? @definition.body) @definition.function))))
(annotation_type_body
  (annotation_type_element_declaration name: (identifier) @definition.name) @definition.function)
; In files without a surrounding class.
(program
  (method_declaration name: (identifier) @definition.name
    body: (block . "{" @definition.end)? @definition.body) @definition.function)

; before: comments, which belong to the definition right below them.
(block_comment) @before.node
(line_comment) @before.node

; member: direct members of a type's body that are not definitions.
(class_body [(field_declaration) (block) (static_initializer)] @member.node)
(interface_body (constant_declaration) @member.node)
(enum_body (enum_constant !body) @member.node)
(enum_body_declarations [(field_declaration) (block) (static_initializer)] @member.node)
(annotation_type_body (constant_declaration) @member.node)

; error: text that the parser skipped, and tokens that it inserted.
(ERROR) @error.node
(MISSING) @error.node
