<?php

namespace Bakery\Support;

const CURRENCY = 'EUR';

/** Cents as people read them. */
function format_cents(int $cents): string
{
    return sprintf('%s %d.%02d', CURRENCY, intdiv($cents, 100), $cents % 100);
}

function round_to(int $cents, int $step = 5): int
{
    return (int) (round($cents / $step) * $step);
}
