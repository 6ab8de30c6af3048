<?php

declare(strict_types=1);

namespace Bakery\Catalog;

use JsonSerializable;

enum Category: string
{
    case Bread = 'bread';
    case Cake = 'cake';
    case Drink = 'drink';

    public function taxRate(): float
    {
        return match ($this) {
            self::Bread, self::Cake => 0.07,
            self::Drink => 0.19,
        };
    }
}

abstract class Item implements JsonSerializable
{
    public function __construct(
        public readonly string $sku,
        protected string $title,
        protected int $cents,
    ) {
    }

    abstract public function category(): Category;

    public function price(): int
    {
        return $this->cents;
    }

    public function __toString(): string
    {
        return $this->title;
    }

    public function jsonSerialize(): array
    {
        return ['sku' => $this->sku, 'title' => $this->title, 'cents' => $this->price()];
    }
}

final class Bread extends Item
{
    private bool $sliced = false;

    public function category(): Category
    {
        return Category::Bread;
    }

    public function sliced(): static
    {
        $copy = clone $this;
        $copy->sliced = true;

        return $copy;
    }
}

class Cake extends Item
{
    public const PIECES = 12;

    public function category(): Category
    {
        return Category::Cake;
    }

    public function perPiece(): int
    {
        return (int) ceil($this->price() / static::PIECES);
    }
}
