; Definitions. A capture is named `role.part`, and all captures of a pattern have the same role.

; definition: a type, a function, a property with accessors; `definition.end` is the token that ends its header.
(class_declaration
  name: (identifier) @definition.name
  [(class_body . "{" @definition.end) (enum_class_body . "{" @definition.end)]?) @definition.class
(object_declaration
  name: (identifier) @definition.name
  (class_body . "{" @definition.end)?) @definition.class
; What a companion without a name has is called as if it were the class's.
(companion_object
  name: (identifier) @definition.name
  (class_body . "{" @definition.end)?) @definition.class

; What a companion has is its class's too.
(class_declaration
  name: (identifier) @definition.owner
  (class_body (companion_object name: (identifier) @definition.name) @definition.class))

; Classes without a name of their own: of a constant of an enumeration, of a property.
(enum_entry
  . (modifiers)?
  . (identifier) @definition.name
  (class_body . "{" @definition.end)) @definition.class
(property_declaration
  (variable_declaration . (identifier) @definition.name)
  (object_literal (class_body . "{" @definition.end))) @definition.class

; Functions stand in one of these. Those of other anonymous objects belong to what is around the object.
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

; before: comments, which belong to the definition right under them.
(block_comment) @before.node
(line_comment) @before.node

; member: what stands directly in the body of a type, and is no definition.
(class_body [(property_declaration) (anonymous_initializer)] @member.node)
(enum_class_body [(enum_entry) (property_declaration) (anonymous_initializer)] @member.node)

; error: what the parser skipped, made up, or took for an expression: `open class C` behind an annotation, for `open.class(C)`.
(infix_expression . (_) . (identifier) @error.by (#any-of? @error.by "class" "interface" "object")) @error.node
(infix_expression . (identifier) @error.by (#any-of? @error.by "class" "interface")) @error.node
(ERROR) @error.node
(MISSING) @error.node
