package org.granary.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.granary.io.Journal;
import org.granary.stock.Quantity;
import org.granary.stock.Warehouse;
import org.junit.jupiter.api.Test;

class FulfillmentTest {
    private final Warehouse warehouse = new Warehouse((event, article, quantity) -> {});

    @Test
    void shipsNothingWithoutStock() {
        Fulfillment strict = new StrictFulfillment(warehouse);
        strict.submit(new Order("Ada").with("oats", 3));
        assertEquals(0, strict.runAll());
    }
}
