; A function is its signature and its equations.
(declarations (signature name: (variable) @name) @definition.function)
(declarations (signature name: (prefix_id (_) @name)) @definition.function)
(declarations (signature names: (binding_list . name: (_) @name)) @definition.function)
(declarations (function name: (variable) @name) @definition.function)
(declarations (function name: (prefix_id (_) @name)) @definition.function)
(declarations (function (infix operator: (operator) @name)) @definition.function)
(declarations (function (infix operator: (infix_id (variable) @name))) @definition.function)
(declarations (bind name: (variable) @name) @definition.function)
(class_declarations (signature name: (variable) @name) @definition.method)
(class_declarations (function name: (variable) @name) @definition.method)
(class_declarations (bind name: (variable) @name) @definition.method)
(instance_declarations (function name: (variable) @name) @definition.method)
(instance_declarations (function (infix operator: (operator) @name)) @definition.method)
(instance_declarations (bind name: (variable) @name) @definition.method)
(pattern_synonym
  [
    (signature synonym: (constructor) @name)
    (equation synonym: (constructor) @name)
    (equation synonym: (apply function: (constructor) @name))
  ]) @definition.function
(foreign_import signature: (signature name: (variable) @name)) @definition.function

(data_type name: [(name) (prefix_id)] @name) @definition.type
(newtype name: [(name) (prefix_id)] @name) @definition.type
(class name: [(name) (prefix_id)] @name) @definition.interface
(instance name: [(name) (prefix_id) (qualified)] @name) @definition.class
(newtype (infix operator: (_) @name)) @definition.type
(data_type (infix operator: (_) @name)) @definition.type
(class (infix operator: (_) @name)) @definition.interface
(type_synomym name: [(name) (prefix_id)] @name) @definition.type
(type_synomym (infix operator: (_) @name)) @definition.type
(declarations (type_instance name: (name) @name) @definition.type)
(type_family name: (name) @name) @definition.type
(data_family name: (name) @name) @definition.type

(apply function: (variable) @name) @reference.call
(apply function: (qualified id: (variable) @name)) @reference.call
(infix left_operand: (variable) @name) @reference.call
(infix right_operand: (variable) @name) @reference.call
(exp (variable) @name) @reference.call
(infix operator: (infix_id (variable) @name)) @reference.call
