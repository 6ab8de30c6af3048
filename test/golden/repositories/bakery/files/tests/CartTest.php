<?php

declare(strict_types=1);

namespace Bakery\Tests;

use Bakery\Catalog\Bread;
use Bakery\Catalog\Repository;
use Bakery\Checkout\Amount;
use Bakery\Checkout\Cart;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

final class CartTest extends TestCase
{
    private Cart $cart;

    protected function setUp(): void
    {
        $products = $this->createStub(Repository::class);
        $products->method('find')->willReturn(new Bread('rye', 'Rye bread', 420));
        $this->cart = new Cart($products);
    }

    public function testCountsQuantities(): void
    {
        $this->cart->add('rye', 3);
        self::assertCount(3, $this->cart);
    }

    #[DataProvider('vouchers')]
    public function testTotalWithVoucher(int $off, int $total): void
    {
        $this->cart->add('rye');
        $this->cart->redeem(new Amount($off));
        self::assertSame($total, $this->cart->total());
    }

    public static function vouchers(): array
    {
        return [[20, 400], [0, 420]];
    }
}
