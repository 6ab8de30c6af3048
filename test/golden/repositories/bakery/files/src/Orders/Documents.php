<?php

declare(strict_types=1);

namespace Bakery\Orders;

use Attribute;
use Bakery\Catalog;
use Bakery\Checkout\{Cart, Receipt as Paper, Voucher};
use Bakery\Support\Observable as Audible;

#[Attribute]
final class Layout
{
    public function __construct(public int $columns = 1)
    {
    }
}

interface Printable
{
    public function print(int $width = 40): string;
}

trait Signed
{
    protected function signature(): string
    {
        return $this->print(1) . static::class;
    }
}

#[Layout(columns: 2)]
class Invoice implements Printable
{
    use Signed;
    use Audible;

    private Note $note;

    protected static ?Invoice $last = null;

    public function __construct(private Cart $cart, protected ?Note $second = null)
    {
        $this->note = new Note();
        self::$last = $this;
    }

    public function print(int $width = 40): string
    {
        $made = new Note();
        $text = $made->print(1);
        $same = $made;
        $text .= $same->print(2);
        $chosen = $this->choose();
        $text .= $chosen->print(3);
        $text .= $this->note->print(4);
        $this->note = $this->choose();
        $copied = $this->note;
        $text .= $copied->print(5);
        $text .= $this->second?->print(6);
        $static = self::standard();
        $text .= $static->print(7);
        $called = note_of($this->cart);
        $text .= $called->print(8);
        $nullsafe = $this->second?->copy();
        $text .= $nullsafe->print(9);
        try {
            $text .= (new Paper($this->cart))->render();
        } catch (PrintFailed | \LogicException $error) {
            $text .= $error->explain();
        }
        foreach ([$made, $same] as $key => $note) {
            $text .= $note->print($key);
        }
        $show = fn (Note $one): string => $one->print(10);
        $other = new class () extends Note {
            public function print(int $width = 40): string
            {
                return parent::print($width);
            }
        };

        return $text . $show($made) . $other->print(11) . namespace\note_of($this->cart)->print(12) . static::standard()->print(13) . $this->signature();
    }

    public static function standard(): Note
    {
        return new Note();
    }

    private function choose(): Note
    {
        return $this->second ?? new namespace\Note();
    }

    public function priceOf(Catalog\Item ...$items): int
    {
        return array_sum(array_map(fn (Catalog\Item $item) => $item->price(), $items));
    }
}

class Note implements Printable
{
    public function print(int $width = 40): string
    {
        return str_repeat('-', $width);
    }

    public function copy(): static
    {
        return clone $this;
    }
}

final class PrintFailed extends \RuntimeException
{
    public function explain(): string
    {
        return $this->getMessage();
    }
}

function note_of(Cart $cart, ?Voucher $voucher = null): Note
{
    $cart->redeem($voucher ?? new \Bakery\Checkout\Percent(5));

    return Invoice::standard();
}
