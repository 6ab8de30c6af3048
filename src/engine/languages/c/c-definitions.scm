; Definitions that only C's grammar has so.

; A macro of one argument looks like a type and a name in brackets: DEFINE_TEST(x) { }
(function_definition
  type: (type_identifier) @definition.macro
  declarator: (parenthesized_declarator (identifier) @definition.name)
  body: (compound_statement . "{" @definition.end) @definition.body
  (#match? @definition.macro "^[A-Z][A-Z0-9_]*$")) @definition.function
