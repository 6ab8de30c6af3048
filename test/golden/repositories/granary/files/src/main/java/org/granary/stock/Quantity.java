package org.granary.stock;

import java.math.BigDecimal;
import java.util.Objects;

/** An amount in a unit. Never negative. */
public final class Quantity implements Comparable<Quantity> {
    public enum Unit {
        PIECE(1), DOZEN(12), PALLET(480);

        final int pieces;

        Unit(int pieces) {
            this.pieces = pieces;
        }
    }

    public static final Quantity NONE = new Quantity(BigDecimal.ZERO, Unit.PIECE);

    private final BigDecimal amount;
    private final Unit unit;

    private Quantity(BigDecimal amount, Unit unit) {
        if (amount.signum() < 0) {
            throw new IllegalArgumentException("negative quantity: " + amount);
        }
        this.amount = amount;
        this.unit = Objects.requireNonNull(unit);
    }

    public static Quantity of(long pieces) {
        return of(pieces, Unit.PIECE);
    }

    public static Quantity of(long amount, Unit unit) {
        return new Quantity(BigDecimal.valueOf(amount), unit);
    }

    public Quantity plus(Quantity other) {
        return new Quantity(pieces().add(other.pieces()), Unit.PIECE);
    }

    public Quantity minus(Quantity other) {
        return new Quantity(pieces().subtract(other.pieces()), Unit.PIECE);
    }

    BigDecimal pieces() {
        return amount.multiply(BigDecimal.valueOf(unit.pieces));
    }

    @Override
    public int compareTo(Quantity other) {
        return pieces().compareTo(other.pieces());
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Quantity other && amount.equals(other.amount) && unit == other.unit;
    }

    @Override
    public int hashCode() {
        return Objects.hash(amount, unit);
    }
}
