; An element is a call of its component. HTML elements are in lower case.
(jsx_opening_element name: (identifier) @call.name (#match? @call.name "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call.name (#match? @call.name "^[A-Z]"))
(jsx_opening_element
  name: (member_expression property: (property_identifier) @call.name) @call.chain)
(jsx_self_closing_element
  name: (member_expression property: (property_identifier) @call.name) @call.chain)
