package org.granary.stock;

import java.time.LocalDate;

public class Batch {
    private final LocalDate expires;
    private Quantity left;

    public Batch(Quantity quantity, LocalDate expires) {
        this.left = quantity;
        this.expires = expires;
    }

    public boolean isExpired(LocalDate today) {
        return expires != null && expires.isBefore(today);
    }

    public boolean isEmpty() {
        return left.compareTo(Quantity.NONE) == 0;
    }

    Quantity reduce(Quantity wanted) {
        Quantity part = left.compareTo(wanted) < 0 ? left : wanted;
        left = left.minus(part);
        return part;
    }

    public Quantity left() {
        return left;
    }
}
