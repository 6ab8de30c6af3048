package org.granary.orders;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.granary.stock.Quantity;
import org.granary.stock.Warehouse;

/** Ships orders as far as there is stock. */
public abstract class Fulfillment {
    protected final Warehouse warehouse;
    private final Queue<Order> waiting =
        new PriorityQueue<>(Comparator.comparing(Order::priority));

    protected Fulfillment(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    public void submit(Order order) {
        waiting.add(order);
    }

    public void submit(Order... orders) {
        for (Order order : orders) {
            submit(order);
        }
    }

    public int runAll() {
        int shipped = 0;
        Order order;
        while ((order = waiting.poll()) != null) {
            if (fulfill(order)) {
                shipped++;
            }
        }
        return shipped;
    }

    protected abstract boolean fulfill(Order order);

    protected boolean isAvailable(Order.Line line) {
        return warehouse.stockOf(line.article()).compareTo(line.quantity()) >= 0;
    }
}
