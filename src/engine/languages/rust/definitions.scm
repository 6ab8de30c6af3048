; Definitions. A capture is named `role.part`, and all captures of a pattern have the same role.

; definition: functions and methods; those required by a trait, and foreign ones, have no body.
(function_item
  name: (identifier) @definition.name
  body: (block . "{" @definition.end) @definition.body) @definition.function
(function_signature_item name: (identifier) @definition.name) @definition.function
; A macro is called, as functions are.
(macro_definition name: (identifier) @definition.name) @definition.function

; Types and traits.
(struct_item
  name: (type_identifier) @definition.name
  body: (field_declaration_list . "{" @definition.end) @definition.body) @definition.class
(struct_item
  name: (type_identifier) @definition.name
  body: (ordered_field_declaration_list)) @definition.class
(struct_item
  name: (type_identifier) @definition.name
  !body) @definition.class
(enum_item
  name: (type_identifier) @definition.name
  body: (enum_variant_list . "{" @definition.end) @definition.body) @definition.class
(union_item
  name: (type_identifier) @definition.name
  body: (field_declaration_list . "{" @definition.end) @definition.body) @definition.class
(trait_item
  name: (type_identifier) @definition.name
  body: (declaration_list . "{" @definition.end) @definition.body) @definition.class

; An `impl` is a part of its type and has its name; if the type has none, the trait's.
(impl_item
  type: [
    (type_identifier) @definition.name @definition.owner
    (primitive_type) @definition.name @definition.owner
    (generic_type type: (type_identifier) @definition.name @definition.owner)
    (scoped_type_identifier name: (type_identifier) @definition.name @definition.owner)
    (generic_type
      type: (scoped_type_identifier name: (type_identifier) @definition.name @definition.owner))
    (reference_type type: (type_identifier) @definition.name @definition.owner)
    (reference_type type: (generic_type type: (type_identifier) @definition.name @definition.owner))
    (reference_type type: (primitive_type) @definition.name @definition.owner)
    (dynamic_type trait: (type_identifier) @definition.name @definition.owner)
  ]
  body: (declaration_list . "{" @definition.end) @definition.body) @definition.class
(impl_item
  trait: [
    (type_identifier) @definition.name
    (generic_type type: (type_identifier) @definition.name)
    (scoped_type_identifier name: (type_identifier) @definition.name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @definition.name))
  ]
  type: [
    (tuple_type)
    (unit_type)
    (array_type)
    (function_type)
    (pointer_type)
    (never_type)
    (macro_invocation)
    (reference_type type: [
      (tuple_type)
      (unit_type)
      (array_type)
      (function_type)
      (dynamic_type)
      (scoped_type_identifier)
      (reference_type)
      (generic_type type: (scoped_type_identifier))
    ])
    (dynamic_type trait: [(generic_type) (scoped_type_identifier) (function_type)])
  ] @definition.owner
  body: (declaration_list . "{" @definition.end) @definition.body) @definition.class

; A module in the file qualifies the names of its members.
(mod_item
  name: (identifier) @definition.name
  body: (declaration_list . "{" @definition.end) @definition.body) @definition.namespace

; before: comments and attributes, which belong to the definition right below them. `//!` describes the item around it.
(line_comment !inner) @before.node
(block_comment !inner) @before.node
(attribute_item) @before.node

; member: direct members of a type, a trait or an `impl`.
(struct_item body: (field_declaration_list (_) @member.node))
(union_item body: (field_declaration_list (_) @member.node))
(enum_item body: (enum_variant_list (_) @member.node))
(trait_item body: (declaration_list (_) @member.node))
(impl_item body: (declaration_list (_) @member.node))

; error: text that the parser skipped, and tokens that it inserted.
(ERROR) @error.node
(MISSING) @error.node
