<!DOCTYPE html>
<?php

declare(strict_types=1);

namespace Shop\Base;

use Shop\Log\{Logger, Writer as W};

/**
 * What is sold.
 *
 * @template T
 */
#[Entity(table: 'carts')]
#[Other]
final class Cart extends Model implements \Countable, JsonSerializable
{
    use Logs, Other {
        Logs::log as protected logIt;
    }

    const LIMIT = 10;

    private ?Logger $logger = null;

    // Makes one.
    public function __construct(
        private readonly Store $store,
        array $items = [],
    ) {
        parent::__construct();
    }

    /** Counts. */
    #[Pure]
    public function count(): int
    {
        $by = function ($item) {
            return $item->count();
        };
        return array_sum(array_map($by, $this->items));
    }

    abstract protected function declared(string $a): ?self;
    public static function &reference(): array { return self::$all; }
    public function one() {} public function two() {}
}

interface Shape extends Countable
{
    public function area(): float;
}

trait Logs
{
    public function log(string $text): void
    {
        if (true) {
            function inner() {}
        }
    }
}

enum Suit: string
{
    case Hearts = 'H';

    public function label(): string
    {
        return <<<TEXT
          function not_one() {
        TEXT;
    }
}

# Sums.
function total(Cart ...$carts): int
{
    return 0;
}

$handler = static function (int $a) use ($b): int {
    return $a;
};
$arrow = fn ($x) => $x
    + 1;

if (!function_exists('late')) {
    function late() {}
}

return new class extends Migration {
    public function up(): void {}
};
?>
<p><?= total() ?></p>
<?php function template() { ?>
  <b>bold</b>
<?php } ?>
