; Definitions that only C's grammar has so.

; A macro of one argument looks like a type and a name in brackets: DEFINE_TEST(x) { }
(function_definition
  type: (type_identifier) @definition.macro
  declarator: (parenthesized_declarator (identifier) @definition.name)
  body: (compound_statement . "{" @definition.end) @definition.body
  (#match? @definition.macro "^[A-Z][A-Z0-9_]*$")) @definition.function

; A method of a class of PHP, PHP_METHOD(Cart, total) { }, as defining.ts writes it.
(function_definition
  (type_qualifier)
  type: (type_identifier) @definition.owner
  declarator: (parenthesized_declarator (identifier) @definition.name)
  body: (compound_statement . "{" @definition.end) @definition.body) @definition.function
