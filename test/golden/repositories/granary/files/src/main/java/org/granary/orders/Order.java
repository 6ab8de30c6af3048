package org.granary.orders;

import java.util.ArrayList;
import java.util.List;
import org.granary.stock.Quantity;

public record Order(String customer, List<Line> lines, Priority priority) {
    public enum Priority { NORMAL, EXPRESS }

    public record Line(String article, Quantity quantity) {
        public Line {
            if (article.isBlank()) {
                throw new IllegalArgumentException("an order line without an article");
            }
        }
    }

    public Order(String customer) {
        this(customer, new ArrayList<>(), Priority.NORMAL);
    }

    public Order with(String article, long pieces) {
        lines.add(new Line(article, Quantity.of(pieces)));
        return this;
    }

    public static Builder builder() {
        return new Builder();
    }

    public static class Builder {
        private String customer;
        private Priority priority = Priority.NORMAL;

        public Builder customer(String customer) {
            this.customer = customer;
            return this;
        }

        public Builder express() {
            this.priority = Priority.EXPRESS;
            return this;
        }

        public Order build() {
            return new Order(customer, new ArrayList<>(), priority);
        }
    }
}
