; Definitions that C++ has in addition to C.

; definition: namespaces; for `namespace a::b`, the name is `a::b`.
(namespace_definition name: (_) @definition.name body: (_) @definition.body) @definition.namespace

(class_specifier
  name: (_) @definition.name
  body: (field_declaration_list . "{" @definition.end) @definition.body) @definition.class

; Functions defined outside their class, operators, destructors, references as results.
(function_definition
  declarator: [
    (function_declarator
      declarator: [(qualified_identifier) (destructor_name) (operator_name) (template_function)] @definition.name)
    (pointer_declarator declarator: (function_declarator
      declarator: [(qualified_identifier) (operator_name) (template_function)] @definition.name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
      declarator: [(qualified_identifier) (operator_name) (template_function)] @definition.name)))
    (reference_declarator (function_declarator
      declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (template_function)] @definition.name))
    (reference_declarator (pointer_declarator declarator: (function_declarator
      declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @definition.name)))
    (operator_cast) @definition.name
    (qualified_identifier name: (operator_cast)) @definition.name
    (qualified_identifier name: (qualified_identifier name: (operator_cast))) @definition.name
  ]
  body: [
    (compound_statement . "{" @definition.end)
    (try_statement body: (compound_statement . "{" @definition.end))
  ] @definition.body) @definition.function

; Constructors.
(function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @definition.name)
  body: [
    (compound_statement . "{" @definition.end)
    (try_statement body: (compound_statement . "{" @definition.end))
  ] @definition.body
  (#not-match? @definition.name "^(TEST|[A-Z][A-Z0-9]*_[A-Z0-9_]*)$")) @definition.function

; Constructors, operators and the like that the compiler generates: f() = default
(function_definition
  declarator: (function_declarator
    declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @definition.name)
  [(default_method_clause) (delete_method_clause)] @definition.body) @definition.function
(function_definition
  declarator: (reference_declarator (function_declarator
    declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier)] @definition.name))
  [(default_method_clause) (delete_method_clause)] @definition.body) @definition.function

; A macro that defines a function named by its arguments: TEST(Suite, name) { }
(function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @definition.macro) @definition.name
  body: (compound_statement . "{" @definition.end) @definition.body
  (#match? @definition.macro "^(TEST|[A-Z][A-Z0-9]*_[A-Z0-9_]*)$")) @definition.function

; A class after a macro that the grammar mistakes for its name: class SHOP_API Cart { }
(function_definition
  type: (class_specifier !body)
  declarator: (identifier) @definition.name
  body: (compound_statement . "{" @definition.end) @definition.body) @definition.class

; decorated: template parameters, and nodes around a class.
(template_declaration [(function_definition) (class_specifier) (struct_specifier) (union_specifier) (template_declaration)] @decorated.definition) @decorated.node
(type_definition type: (class_specifier) @decorated.definition) @decorated.node
(declaration type: (class_specifier) @decorated.definition) @decorated.node
