<?php

declare(strict_types=1);

namespace Bakery\Checkout;

interface Voucher
{
    public function apply(int $cents): int;
}

final class Percent implements Voucher
{
    public function __construct(private int $percent)
    {
    }

    public function apply(int $cents): int
    {
        return (int) ($cents * (100 - $this->percent) / 100);
    }
}

final class Amount implements Voucher
{
    public function __construct(private int $off, private int $least = 0)
    {
    }

    public function apply(int $cents): int
    {
        return $cents >= $this->least ? $cents - $this->off : $cents;
    }
}
