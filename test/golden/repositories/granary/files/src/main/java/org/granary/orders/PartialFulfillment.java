package org.granary.orders;

import static org.granary.stock.Quantity.NONE;

import org.granary.io.Journal;
import org.granary.stock.Quantity;
import org.granary.stock.Warehouse;

/** Ships what is there and notes the rest as a backorder. */
public class PartialFulfillment extends Fulfillment {
    private final Journal journal;

    public PartialFulfillment(Warehouse warehouse, Journal journal) {
        super(warehouse);
        this.journal = journal;
    }

    @Override
    protected boolean fulfill(Order order) {
        boolean complete = true;
        for (Order.Line line : order.lines()) {
            Quantity got = warehouse.withdraw(line.article(), line.quantity());
            Quantity missing = line.quantity().minus(got);
            if (missing.compareTo(NONE) > 0) {
                complete = false;
                journal.record("backorder", line.article(), missing);
            }
        }
        return complete;
    }
}
