; Definitions. A capture is named `role.part`, and all captures of a pattern have the same role.

; definition: a function or class; `definition.end` is the token that ends its header.
(function_definition
  name: (identifier) @definition.name
  ":" @definition.end
  body: (_) @definition.body) @definition.function

(class_definition
  name: (identifier) @definition.name
  ":" @definition.end
  body: (_) @definition.body) @definition.class

; decorated: a definition with its decorators.
(decorated_definition
  definition: (_) @decorated.definition) @decorated.node

; documented: the docstring, which is the first statement of a body.
(function_definition
  body: (block . (comment)* . (expression_statement . (string) @documented.string .)) @documented.body)

(class_definition
  body: (block . (comment)* . (expression_statement . (string) @documented.string .)) @documented.body)

(module . (comment)* . (expression_statement . (string) @documented.string .)) @documented.body

; before: comments and attributes, which belong to the definition right below them. Python's docstrings are inside.

; member: direct members of a class.
(class_definition
  body: (block (_) @member.node))

; error: text that the parser skipped, and tokens that it inserted.
(ERROR) @error.node
(MISSING) @error.node

; testing: code that runs only in tests, or only if the file runs as a script.
(if_statement
  condition: (comparison_operator . (identifier) @testing.name "==" (string (string_content) @testing.text) .)
  consequence: (block) @testing.node
  (#eq? @testing.name "__name__")
  (#eq? @testing.text "__main__"))
