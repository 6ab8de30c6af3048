package org.granary.stock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class ShelfTest {
    private final Shelf<Batch> shelf = new Shelf<>("flour");

    @Test
    void takesFromSeveralBatches() {
        shelf.put(new Batch(Quantity.of(3), LocalDate.MAX));
        shelf.put(new Batch(Quantity.of(3), LocalDate.MAX));
        assertEquals(0, shelf.take(Quantity.of(5)).compareTo(Quantity.of(5)));
    }

    @Test
    void discardsExpiredBatches() {
        shelf.put(new Batch(Quantity.of(1), LocalDate.MIN));
        assertEquals(1, shelf.discard(batch -> batch.isExpired(LocalDate.now())));
    }
}
