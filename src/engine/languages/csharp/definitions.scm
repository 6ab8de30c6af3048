; Definitions. A capture is named `role.part`, and all captures of a pattern have the same role.

; definition: a type or a method; `definition.end` is the token that ends its header.
(class_declaration
  name: (identifier) @definition.name
  body: (declaration_list . "{" @definition.end)? @definition.body) @definition.class
(struct_declaration
  name: (identifier) @definition.name
  body: (declaration_list . "{" @definition.end)? @definition.body) @definition.class
(record_declaration
  name: (identifier) @definition.name
  body: (declaration_list . "{" @definition.end)? @definition.body) @definition.class
(interface_declaration
  name: (identifier) @definition.name
  body: (declaration_list . "{" @definition.end)? @definition.body) @definition.class
(enum_declaration
  name: (identifier) @definition.name
  body: (enum_member_declaration_list . "{" @definition.end)? @definition.body) @definition.class
(delegate_declaration name: (identifier) @definition.name) @definition.class

(method_declaration
  name: (identifier) @definition.name
  body: [(block . "{" @definition.end) (arrow_expression_clause . "=>" @definition.end)]? @definition.body) @definition.function
(constructor_declaration
  name: (identifier) @definition.name
  body: [(block . "{" @definition.end) (arrow_expression_clause . "=>" @definition.end)]? @definition.body) @definition.function
(destructor_declaration
  name: (identifier) @definition.name
  body: [(block . "{" @definition.end) (arrow_expression_clause . "=>" @definition.end)]? @definition.body) @definition.function
(local_function_statement
  name: (identifier) @definition.name
  body: [(block . "{" @definition.end) (arrow_expression_clause . "=>" @definition.end)]? @definition.body) @definition.function
; An operator is named by its symbol, a conversion by its target type.
(operator_declaration
  operator: _ @definition.name
  body: [(block . "{" @definition.end) (arrow_expression_clause . "=>" @definition.end)]? @definition.body) @definition.function
(conversion_operator_declaration
  type: (_) @definition.name
  body: [(block . "{" @definition.end) (arrow_expression_clause . "=>" @definition.end)]? @definition.body) @definition.function

; Properties, indexers and events with bodies.
(property_declaration
  name: (identifier) @definition.name
  value: (arrow_expression_clause . "=>" @definition.end) @definition.body) @definition.function
(property_declaration
  name: (identifier) @definition.name
  accessors: (accessor_list
    . "{" @definition.end
    (accessor_declaration body: (_))) @definition.body) @definition.function
(indexer_declaration
  "this" @definition.name
  value: (arrow_expression_clause . "=>" @definition.end) @definition.body) @definition.function
(indexer_declaration
  "this" @definition.name
  accessors: (accessor_list
    . "{" @definition.end
    (accessor_declaration body: (_))) @definition.body) @definition.function
(event_declaration
  name: (identifier) @definition.name
  accessors: (accessor_list . "{" @definition.end) @definition.body) @definition.function

; property: a method that is read like an attribute.
(property_declaration name: (identifier) @property.name value: (arrow_expression_clause))
(property_declaration
  name: (identifier) @property.name
  accessors: (accessor_list (accessor_declaration body: (_))))

; before: comments, which belong to the definition right below them.
(comment) @before.node

; member: direct members of a type's body that are not definitions.
(declaration_list [
  (field_declaration)
  (event_field_declaration)
  (property_declaration)
  (indexer_declaration)
] @member.node)
(enum_member_declaration_list (enum_member_declaration) @member.node)

; error: text that the parser skipped, and tokens that it inserted.
(ERROR) @error.node
(MISSING) @error.node
