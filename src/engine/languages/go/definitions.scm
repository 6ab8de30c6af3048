; Definitions. A capture is named `role.part`, and all captures of a pattern have the same role.

; definition: a function; one written in assembly has no body.
(function_declaration
  name: (identifier) @definition.name
  !body) @definition.function
(function_declaration
  name: (identifier) @definition.name
  body: (block . "{" @definition.end) @definition.body) @definition.function

; A method is defined outside its type, which is the receiver's.
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @definition.owner
        (generic_type type: (type_identifier) @definition.owner)
        (pointer_type (type_identifier) @definition.owner)
        (pointer_type (generic_type type: (type_identifier) @definition.owner))
      ]))
  name: (field_identifier) @definition.name
  !body) @definition.function
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @definition.owner
        (generic_type type: (type_identifier) @definition.owner)
        (pointer_type (type_identifier) @definition.owner)
        (pointer_type (generic_type type: (type_identifier) @definition.owner))
      ]))
  name: (field_identifier) @definition.name
  body: (block . "{" @definition.end) @definition.body) @definition.function

; A method that an interface requires.
(type_spec
  type: (interface_type
    (method_elem name: (field_identifier) @definition.name) @definition.function))

; A function in a variable of the package.
(source_file
  (var_declaration
    (var_spec
      name: (identifier) @definition.name
      value: (expression_list
        . (func_literal body: (block . "{" @definition.end) @definition.body) .)) @definition.function))
(source_file
  (var_declaration
    (var_spec_list
      (var_spec
        name: (identifier) @definition.name
        value: (expression_list
          . (func_literal body: (block . "{" @definition.end) @definition.body) .)) @definition.function)))

; Types. Any of them may have methods.
(type_spec
  name: (type_identifier) @definition.name
  type: (struct_type
    (field_declaration_list . "{" @definition.end) @definition.body)) @definition.class
(type_spec
  name: (type_identifier) @definition.name
  type: (interface_type "{" @definition.end) @definition.body) @definition.class
(type_spec
  name: (type_identifier) @definition.name
  type: [
    (type_identifier)
    (generic_type)
    (qualified_type)
    (pointer_type)
    (array_type)
    (map_type)
    (slice_type)
    (channel_type)
    (function_type)
    (parenthesized_type)
    (negated_type)
  ]) @definition.class
(type_alias
  name: (type_identifier) @definition.name) @definition.class

; before: comments, which belong to the definition right below them.
(comment) @before.node

; member: direct members of a struct or interface.
(type_spec type: (struct_type (field_declaration_list (_) @member.node)))
(type_spec type: (interface_type (_) @member.node))

; error: text that the parser skipped, and tokens that it inserted.
(ERROR) @error.node
(MISSING) @error.node
