<?php

declare(strict_types=1);

namespace Bakery\Checkout;

use Bakery\Support;

/** A receipt on paper of forty columns. */
class Receipt
{
    protected const WIDTH = 40;

    public function __construct(private Cart $cart)
    {
    }

    public function render(): string
    {
        $lines = [$this->line('Total', $this->cart->total())];
        foreach ($this->cart->taxes() as $rate => $cents) {
            $lines[] = $this->line("VAT $rate", $cents);
        }

        return implode("\n", $lines);
    }

    protected function line(string $label, int $cents): string
    {
        $amount = Support\format_cents($cents);

        return $label . str_pad($amount, self::WIDTH - strlen($label), ' ', STR_PAD_LEFT);
    }
}
