; Definitions. A capture is named `role.part`, and all captures of a pattern have the same role.

; definition: a type, a function, a property with accessors; `definition.end` is the token that ends its header.
(class_declaration
  name: (identifier) @definition.name
  [(class_body . "{" @definition.end) (enum_class_body . "{" @definition.end)]?) @definition.class
(object_declaration
  name: (identifier) @definition.name
  (class_body . "{" @definition.end)?) @definition.class
; Members of an unnamed companion object are called on the class.
(companion_object
  name: (identifier) @definition.name
  (class_body . "{" @definition.end)?) @definition.class

; Members of a companion object also belong to its class.
(class_declaration
  name: (identifier) @definition.owner
  (class_body (companion_object name: (identifier) @definition.name) @definition.class))

; Unnamed classes: of an enum constant, of a property.
(enum_entry
  . (modifiers)?
  . (identifier) @definition.name
  (class_body . "{" @definition.end)) @definition.class
(property_declaration
  (variable_declaration . (identifier) @definition.name)
  (object_literal (class_body . "{" @definition.end))) @definition.class

; Functions are in one of these. Functions of other anonymous objects belong to the definition around the object.
(source_file (function_declaration
  name: (identifier) @definition.name
  (function_body . [(block . "{" @definition.end) "=" @definition.end])?) @definition.function)
(class_declaration [(class_body (function_declaration
  name: (identifier) @definition.name
  (function_body . [(block . "{" @definition.end) "=" @definition.end])?) @definition.function)
(enum_class_body (function_declaration
  name: (identifier) @definition.name
  (function_body . [(block . "{" @definition.end) "=" @definition.end])?) @definition.function)])
(object_declaration (class_body (function_declaration
  name: (identifier) @definition.name
  (function_body . [(block . "{" @definition.end) "=" @definition.end])?) @definition.function))
(companion_object (class_body (function_declaration
  name: (identifier) @definition.name
  (function_body . [(block . "{" @definition.end) "=" @definition.end])?) @definition.function))
(enum_entry (class_body (function_declaration
  name: (identifier) @definition.name
  (function_body . [(block . "{" @definition.end) "=" @definition.end])?) @definition.function))
(property_declaration (object_literal (class_body (function_declaration
  name: (identifier) @definition.name
  (function_body . [(block . "{" @definition.end) "=" @definition.end])?) @definition.function)))
(secondary_constructor
  "constructor" @definition.name
  (block . "{" @definition.end)?) @definition.function
(property_declaration
  (variable_declaration . (identifier) @definition.name)
  (getter (function_body))) @definition.function
(property_declaration
  (variable_declaration . (identifier) @definition.name)
  (setter (function_body))) @definition.function

; The type that a function or a property extends.
(source_file (function_declaration
  (user_type (identifier) @definition.owner .)
  . name: (identifier) @definition.name) @definition.function)
(source_file (function_declaration
  (user_type (identifier) @definition.owner . (type_arguments) .)
  . name: (identifier) @definition.name) @definition.function)
(source_file (function_declaration
  (nullable_type (user_type (identifier) @definition.owner .))
  . name: (identifier) @definition.name) @definition.function)
(source_file (function_declaration
  (nullable_type (user_type (identifier) @definition.owner . (type_arguments) .))
  . name: (identifier) @definition.name) @definition.function)
(source_file (property_declaration
  (user_type (identifier) @definition.owner .)
  . (variable_declaration . (identifier) @definition.name)
  [(getter (function_body)) (setter (function_body))]) @definition.function)
(source_file (property_declaration
  (user_type (identifier) @definition.owner . (type_arguments) .)
  . (variable_declaration . (identifier) @definition.name)
  [(getter (function_body)) (setter (function_body))]) @definition.function)

; before: comments, which belong to the definition right below them.
(block_comment) @before.node
(line_comment) @before.node

; member: direct members of a type's body that are not definitions.
(class_body [(property_declaration) (anonymous_initializer)] @member.node)
(enum_class_body [(enum_entry) (property_declaration) (anonymous_initializer)] @member.node)

; error: text that the parser skipped, inserted, or mistook for an expression: `open class C` after an annotation, for `open.class(C)`.
(infix_expression . (_) . (identifier) @error.by (#any-of? @error.by "class" "interface" "object")) @error.node
(infix_expression . (identifier) @error.by (#any-of? @error.by "class" "interface")) @error.node
(ERROR) @error.node
(MISSING) @error.node
