/** Runs queries on a database. Statements are prepared once, except iterated ones, which are busy until their last row. */
import type { Database, RunResult, Statement } from 'better-sqlite3';
import { getOrAdd } from '../../shared/get-or-add.ts';

type Statements = WeakMap<Database, Map<string, Statement>>;
/** Values of a statement's parameters, by position or by name. */
type Parameters = readonly unknown[] | Readonly<Record<string, unknown>>;

const rows: Statements = new WeakMap();
const tuples: Statements = new WeakMap();
const values: Statements = new WeakMap();

export function run(database: Database, sql: string, parameters: Parameters): RunResult {
  return prepare(rows, database, sql).run(parameters);
}

export function getRow<Row>(
  database: Database,
  sql: string,
  parameters: Parameters,
): Row | undefined {
  return prepare(rows, database, sql).get(parameters) as Row | undefined;
}

export function getRows<Row>(database: Database, sql: string, parameters: Parameters): Row[] {
  return prepare(rows, database, sql).all(parameters) as Row[];
}

/** Returns rows as lists of their columns. */
export function getTuples<Tuple>(database: Database, sql: string, parameters: Parameters): Tuple[] {
  return prepare(tuples, database, sql).all(parameters) as Tuple[];
}

/** Yields rows as `getTuples` returns them. */
export function iterate<Tuple>(
  database: Database,
  sql: string,
  parameters: Parameters,
): IterableIterator<Tuple> {
  return database.prepare(sql).raw().iterate(parameters) as IterableIterator<Tuple>;
}

/** Returns the first column of the first row. */
export function getValue<Value>(
  database: Database,
  sql: string,
  parameters: Parameters = [],
): Value | undefined {
  return prepare(values, database, sql).get(parameters) as Value | undefined;
}

/** Returns the first column of all rows. */
export function getValues<Value>(
  database: Database,
  sql: string,
  parameters: Parameters = [],
): Value[] {
  return prepare(values, database, sql).all(parameters) as Value[];
}

function prepare(statements: Statements, database: Database, sql: string): Statement {
  let known = statements.get(database);
  if (!known) {
    known = new Map();
    statements.set(database, known);
  }
  return getOrAdd(known, sql, () => {
    const statement = database.prepare(sql);
    if (statements === values) return statement.pluck();
    return statements === tuples ? statement.raw() : statement;
  });
}
