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
DO $$ BEGIN PERFORM add_item(1); END $$;
\set quiet on
-- Adds several.
CREATE OR REPLACE PROCEDURE shop.add_all(ids int[], price numeric DEFAULT 0)
LANGUAGE plpgsql AS $body$
DECLARE
  id int;
BEGIN
  IF price > limit_of(twice(price), rounded(price)) THEN
    RAISE 'not( this';
  END IF;
  FOR id IN SELECT unnest(ids) LOOP
    PERFORM shop.add_item(id);
  END LOOP;
END;
$body$;
DELIMITER //
CREATE DEFINER=`root`@`%` PROCEDURE clear_cart(IN id INT)
BEGIN
  CASE WHEN id > 0 THEN DELETE FROM cart; END CASE;
END //
DELIMITER ;
CREATE PROCEDURE [dbo].[count_items] @id int
AS
BEGIN
  SET NOCOUNT ON;
  SELECT 1;
END
GO
CREATE OR REPLACE FUNCTION price_of(id NUMBER) RETURN NUMBER IS
  price NUMBER;
BEGIN
  RETURN rounded(price);
END price_of;
/
CREATE TRIGGER log_cart AFTER INSERT ON cart BEGIN
  INSERT INTO log VALUES (1);
END;
CREATE TABLE last (id int);
