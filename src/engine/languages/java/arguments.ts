/** Infers the types of arguments in Java (Java Language Specification, chapter 15). */
import { FUNCTION_TYPE, NULL_TYPE } from '../conversions.ts';
import type { ArgumentForms } from '../language.ts';
import { eraseType } from '../nominal-types.ts';

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||', '!']);
/** Types of arithmetic results, widest first. Narrower operands become int. */
const WIDEST = ['double', 'float', 'long'];
const NUMBERS = new Set([...WIDEST, 'int', 'char', 'short', 'byte']);
const ARRAY = /^new\s+([\p{L}\p{N}_.$]+)((?:\[[\p{L}\p{N}_.$ ]*\])+)\s*(?:\{|$)/u;

/** Result types of the methods that every object has, by name and number of arguments. */
const RESULTS = new Map([
  ['toString 0', 'String'],
  ['hashCode 0', 'int'],
  ['getClass 0', 'Class'],
  ['equals 1', 'boolean'],
]);

const getIntegerType = (text: string) => (/[lL]$/.test(text) ? 'long' : 'int');

export const argumentForms: ArgumentForms = {
  literalTypes: {
    string_literal: () => 'String',
    character_literal: () => 'char',
    decimal_integer_literal: getIntegerType,
    hex_integer_literal: getIntegerType,
    octal_integer_literal: getIntegerType,
    binary_integer_literal: getIntegerType,
    decimal_floating_point_literal: (text) => (/[fF]$/.test(text) ? 'float' : 'double'),
    hex_floating_point_literal: (text) => (/[fF]$/.test(text) ? 'float' : 'double'),
    true: () => 'boolean',
    false: () => 'boolean',
    null_literal: () => NULL_TYPE,
    class_literal: () => 'Class',
    lambda_expression: () => FUNCTION_TYPE,
    method_reference: () => FUNCTION_TYPE,
    instanceof_expression: () => 'boolean',
    array_creation_expression: (text) => {
      const [, name, dimensions = ''] = ARRAY.exec(text) ?? [];
      return name ? name + '[]'.repeat(dimensions.split('[').length - 1) : null;
    },
  },
  typed: { object_creation_expression: 'type', cast_expression: 'type' },
  elements: { array_access: 'array' },
  choices: { ternary_expression: ['consequence', 'alternative'] },
  operations: { binary_expression: ['left', 'right'], unary_expression: ['operand'] },
  inferOperation(operator, operands) {
    if (COMPARISONS.has(operator)) return 'boolean';
    if (operator === '+' && operands.includes('String')) return 'String';
    if (!operands.every((one) => NUMBERS.has(one))) return null;
    // A shift has the type of its left operand.
    const counted = /^(?:<<|>>>?)$/.test(operator) ? operands.slice(0, 1) : operands;
    return WIDEST.find((one) => counted.includes(one)) ?? 'int';
  },
  inferResult: (name, args) => RESULTS.get(`${name} ${args}`) ?? null,
  // `var` names no type, and `void` has no value.
  eraseType: (annotation) =>
    annotation === 'var' || annotation === 'void' ? null : eraseType(annotation),
  defaultBound: 'Object',
};
