package org.granary.orders;

import org.granary.stock.Warehouse;

/** All or nothing. */
public class StrictFulfillment extends Fulfillment {
    public StrictFulfillment(Warehouse warehouse) {
        super(warehouse);
    }

    @Override
    protected boolean fulfill(Order order) {
        if (!order.lines().stream().allMatch(this::isAvailable)) {
            return false;
        }
        order.lines().forEach(line -> warehouse.withdraw(line.article(), line.quantity()));
        return true;
    }
}
