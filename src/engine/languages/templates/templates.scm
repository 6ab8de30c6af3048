; mention: names that a template calls, each a statement of its own; those in a list are called by a handler such as onclick.
; A name with `host` may be a function of the language around the template.
(expression_statement (identifier) @mention.name @mention.host)
(expression_statement
  (member_expression
    object: (_) @mention.object
    property: (property_identifier) @mention.name) @mention.host)
(expression_statement (array (identifier) @mention.name))
