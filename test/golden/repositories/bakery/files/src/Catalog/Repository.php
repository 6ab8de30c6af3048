<?php

declare(strict_types=1);

namespace Bakery\Catalog;

use PDO;
use RuntimeException;

class UnknownProduct extends RuntimeException
{
    public static function bySku(string $sku): self
    {
        return new self("no product has the number $sku");
    }
}

/** Products from the database. */
class Repository
{
    private static ?self $instance = null;

    private array $loaded = [];

    public function __construct(private PDO $database)
    {
    }

    public static function open(string $dsn): self
    {
        return self::$instance ??= new self(new PDO($dsn));
    }

    public function find(string $sku): Item
    {
        return $this->loaded[$sku] ??= $this->load($sku);
    }

    /** @return iterable<Item> */
    public function search(string $text): iterable
    {
        $rows = $this->database->query("SELECT * FROM products WHERE title LIKE '%$text%'");
        foreach ($rows as $row) {
            yield $this->toItem($row);
        }
    }

    private function load(string $sku): Item
    {
        $statement = $this->database->prepare('SELECT * FROM products WHERE sku = ?');
        $statement->execute([$sku]);
        $row = $statement->fetch();
        if ($row === false) {
            throw UnknownProduct::bySku($sku);
        }

        return $this->toItem($row);
    }

    private function toItem(array $row): Item
    {
        $class = $row['category'] === 'cake' ? Cake::class : Bread::class;

        return new $class($row['sku'], $row['title'], (int) $row['cents']);
    }
}
