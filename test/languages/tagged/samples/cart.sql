-- A cart.
CREATE TABLE shop.cart (
  id integer PRIMARY KEY,
  name text NOT NULL
);
CREATE OR REPLACE VIEW totals AS SELECT id, sum(price) FROM items GROUP BY id;
CREATE INDEX cart_name ON shop.cart (name);
-- Adds one.
CREATE OR REPLACE FUNCTION shop.add_item(x integer) RETURNS integer AS $$
  SELECT helper(x) + 1;
$$ LANGUAGE sql;
CREATE FUNCTION twice(x int) RETURNS int LANGUAGE sql AS 'SELECT x * 2';
CREATE TRIGGER touch BEFORE UPDATE ON shop.cart FOR EACH ROW EXECUTE FUNCTION touch_row();
CREATE TYPE color AS ENUM ('red');
ALTER TABLE shop.cart ADD COLUMN x int;
SELECT add_item(1) FROM cart;
CREATE MATERIALIZED VIEW mv AS SELECT 1;
