(function_def
  (function_command (argument_list . (argument (unquoted_argument) @name)))
  (body)? @body) @definition.function
(macro_def
  (macro_command (argument_list . (argument (unquoted_argument) @name)))
  (body)? @body) @definition.macro
; A target is what its command makes.
(normal_command
  (identifier) @command
  (argument_list . (argument (unquoted_argument) @name))
  (#any-of? @command
    "add_executable" "add_library" "add_custom_target" "ADD_EXECUTABLE" "ADD_LIBRARY" "ADD_CUSTOM_TARGET")) @definition.function

(normal_command (identifier) @name) @reference.call
