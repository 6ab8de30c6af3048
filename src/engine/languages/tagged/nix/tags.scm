(binding attrpath: (attrpath) @name expression: (function_expression) @body) @definition.function

(apply_expression function: (variable_expression name: (identifier) @name)) @reference.call
(apply_expression
  function: (select_expression attrpath: (attrpath attr: (identifier) @name .))) @reference.call
