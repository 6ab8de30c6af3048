<?php

require __DIR__ . '/vendor/autoload.php';

use Bakery\Catalog\Repository;
use Bakery\Checkout\Cart;
use Bakery\Checkout\Percent;
use Bakery\Checkout\Receipt;

$cart = new Cart(Repository::open('sqlite:shop.db'));
$cart->on('added', fn ($item) => error_log("added $item"));
foreach ($_POST['skus'] ?? [] as $sku) {
    $cart->add($sku);
}
if (($_POST['code'] ?? '') === 'SPRING') {
    $cart->redeem(new Percent(10));
}
echo (new Receipt($cart))->render();
