<?php

declare(strict_types=1);

namespace Bakery\Checkout;

use ArrayIterator;
use Bakery\Catalog\{Item, Repository};
use Bakery\Support\Observable;
use Countable;
use IteratorAggregate;

use function Bakery\Support\round_to;

class Cart implements Countable, IteratorAggregate
{
    use Observable;

    /** @var array<string, int> */
    private array $quantities = [];

    private ?Voucher $voucher = null;

    public function __construct(private readonly Repository $products)
    {
    }

    public function add(string $sku, int $quantity = 1): void
    {
        $item = $this->products->find($sku);
        $this->quantities[$sku] = ($this->quantities[$sku] ?? 0) + $quantity;
        $this->emit('added', $item, $quantity);
    }

    public function remove(string $sku): void
    {
        unset($this->quantities[$sku]);
        $this->emit('removed', $sku);
    }

    public function redeem(Voucher $voucher): void
    {
        $this->voucher = $voucher;
    }

    public function subtotal(): int
    {
        $sum = 0;
        foreach ($this as $sku => $quantity) {
            $sum += $this->products->find($sku)->price() * $quantity;
        }

        return $sum;
    }

    public function total(): int
    {
        $sum = $this->subtotal();

        return round_to($this->voucher?->apply($sum) ?? $sum);
    }

    /** Value added tax by rate. */
    public function taxes(): array
    {
        $taxes = [];
        array_walk($this->quantities, function (int $quantity, string $sku) use (&$taxes): void {
            $item = $this->products->find($sku);
            $rate = (string) $item->category()->taxRate();
            $taxes[$rate] = ($taxes[$rate] ?? 0) + $item->price() * $quantity * $item->category()->taxRate();
        });

        return array_map(fn (float $tax): int => (int) round($tax), $taxes);
    }

    public function count(): int
    {
        return array_sum($this->quantities);
    }

    public function getIterator(): ArrayIterator
    {
        return new ArrayIterator($this->quantities);
    }
}
