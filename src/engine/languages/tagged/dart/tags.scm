; An annotation above a definition belongs to it.
(annotation) @before.node

(class_definition name: (identifier) @name) @definition.class
(mixin_declaration (identifier) @name) @definition.class
(enum_declaration name: (identifier) @name) @definition.enum
(extension_declaration name: (identifier) @name) @definition.class
(extension_type_declaration name: (identifier) @name) @definition.class

; A body is the node after the signature.
(program
  [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
  ] @definition.function
  . (function_body)? @body)
(_
  (method_signature
    [
      (function_signature name: (identifier) @name)
      (getter_signature name: (identifier) @name)
      (setter_signature name: (identifier) @name)
      (operator_signature (binary_operator) @name)
      ; The last of the names in Cart.empty().
      (constructor_signature name: (identifier) @name . parameters: (_))
      (factory_constructor_signature (identifier) @name . (formal_parameter_list))
    ]) @definition.method
  . (function_body)? @body)
; Without a body.
(declaration
  [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (constructor_signature name: (identifier) @name . parameters: (_))
    (constant_constructor_signature (identifier) @name . (formal_parameter_list))
    (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
  ]) @definition.method

(_ (identifier) @name . (selector (argument_part))) @reference.call
(_
  (selector (unconditional_assignable_selector (identifier) @name))
  . (selector (argument_part))) @reference.call
(cascade_section (cascade_selector (identifier) @name) (argument_part)) @reference.call
