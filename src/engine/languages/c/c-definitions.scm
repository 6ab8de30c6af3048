; Definitions in the form of C's grammar only.

; A macro with one argument looks like a type and a name in parentheses: DEFINE_TEST(x) { }
(function_definition
  type: (type_identifier) @definition.macro
  declarator: (parenthesized_declarator (identifier) @definition.name)
  body: (compound_statement . "{" @definition.end) @definition.body
  (#match? @definition.macro "^[A-Z][A-Z0-9_]*$")) @definition.function

; A method of a PHP class, PHP_METHOD(Cart, total) { }, as rewritten by defining-macros.ts.
(function_definition
  (type_qualifier)
  type: (type_identifier) @definition.owner
  declarator: (parenthesized_declarator (identifier) @definition.name)
  body: (compound_statement . "{" @definition.end) @definition.body) @definition.function
