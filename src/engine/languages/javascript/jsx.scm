; A component is called where it is an element. The names of HTML's are in lower case.
(jsx_opening_element name: (identifier) @call.name (#match? @call.name "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call.name (#match? @call.name "^[A-Z]"))
(jsx_opening_element
  name: (member_expression property: (property_identifier) @call.name) @call.chain)
(jsx_self_closing_element
  name: (member_expression property: (property_identifier) @call.name) @call.chain)
