package org.granary.stock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;

/** Batches of one article, those that expire first in front. */
public class Shelf<B extends Batch> implements Iterable<B> {
    private final Deque<B> batches = new ArrayDeque<>();
    private final String label;

    public Shelf(String label) {
        this.label = label;
    }

    public void put(B batch) {
        batches.addLast(batch);
    }

    /** Takes as much as there is, at most what is wanted. */
    public Quantity take(Quantity wanted) {
        Quantity taken = Quantity.NONE;
        while (!batches.isEmpty() && taken.compareTo(wanted) < 0) {
            B first = batches.peekFirst();
            Quantity part = first.reduce(wanted.minus(taken));
            taken = taken.plus(part);
            if (first.isEmpty()) {
                batches.removeFirst();
            }
        }
        return taken;
    }

    public int discard(Predicate<? super B> spoiled) {
        int before = batches.size();
        batches.removeIf(spoiled);
        return before - batches.size();
    }

    public String label() {
        return label;
    }

    @Override
    public Iterator<B> iterator() {
        return new Iterator<>() {
            private final Iterator<B> inner = batches.iterator();

            @Override
            public boolean hasNext() {
                return inner.hasNext();
            }

            @Override
            public B next() {
                return inner.next();
            }
        };
    }
}
