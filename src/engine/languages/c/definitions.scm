; Definitions that C and C++ share. Captures: see ../python/definitions.scm.

; definition: functions, inside the pointers and references that they return.
(function_definition
  type: (_)
  declarator: [
    (function_declarator declarator: [(identifier) (field_identifier)] @definition.name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @definition.name))
    (pointer_declarator declarator: (pointer_declarator
      declarator: (function_declarator declarator: [(identifier) (field_identifier)] @definition.name)))
    (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator
      declarator: (function_declarator declarator: [(identifier) (field_identifier)] @definition.name))))
    ; int (f)(void)
    (function_declarator declarator: (parenthesized_declarator (identifier) @definition.name))
    ; void (*f(int a))(int)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @definition.name))))
  ]
  body: (compound_statement . "{" @definition.end) @definition.body) @definition.function

; Macros that are used like functions.
(preproc_function_def
  name: (identifier) @definition.name
  parameters: (preproc_params ")" @definition.end)) @definition.function

; Types with a body.
(struct_specifier
  name: (_) @definition.name
  body: (field_declaration_list . "{" @definition.end) @definition.body) @definition.class
(union_specifier
  name: (_) @definition.name
  body: (field_declaration_list . "{" @definition.end) @definition.body) @definition.class
(enum_specifier
  name: (_) @definition.name
  body: (enumerator_list . "{" @definition.end) @definition.body) @definition.class

; Types that only a typedef names.
(type_definition
  type: [
    (struct_specifier !name body: (field_declaration_list . "{" @definition.end) @definition.body)
    (union_specifier !name body: (field_declaration_list . "{" @definition.end) @definition.body)
    (enum_specifier !name body: (enumerator_list . "{" @definition.end) @definition.body)
  ]
  declarator: (type_identifier) @definition.name) @definition.class

; decorated: nodes around a type.
(type_definition type: [(struct_specifier) (union_specifier) (enum_specifier)] @decorated.definition) @decorated.node
(declaration type: [(struct_specifier) (union_specifier) (enum_specifier)] @decorated.definition) @decorated.node

; before: comments above a definition.
(comment) @before.node

; member: direct members of a type.
(field_declaration_list (_) @member.node)
(enumerator_list (_) @member.node)

; error: text that the parser skipped, and tokens that it inserted.
(ERROR) @error.node
(MISSING) @error.node
