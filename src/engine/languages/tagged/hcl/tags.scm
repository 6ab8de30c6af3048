; resource "aws_s3_bucket" "logs" { … } is aws_s3_bucket.logs, variable "name" { … } is variable.name.
(config_file
  (body
    (block
      (string_lit (template_literal) @owner)
      .
      (string_lit (template_literal) @name)
      .
      (block_start)) @definition.function))
(config_file
  (body
    (block
      .
      (identifier) @owner
      .
      (string_lit (template_literal) @name)
      .
      (block_start)) @definition.function))

(function_call . (identifier) @name) @reference.call
(expression (variable_expr) . (get_attr (identifier) @name)) @reference.call
(expression
  (variable_expr (identifier) @data) . (get_attr) . (get_attr (identifier) @name)
  (#eq? @data "data")) @reference.call
