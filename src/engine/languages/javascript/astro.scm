; element: names of tags in expressions; a capital begins the name of a component.
(jsx_opening_element name: (identifier) @element.name)
(jsx_closing_element name: (identifier) @element.name)
(jsx_self_closing_element name: (identifier) @element.name)
