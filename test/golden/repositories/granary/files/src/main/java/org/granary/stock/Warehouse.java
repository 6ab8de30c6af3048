package org.granary.stock;

import java.time.Clock;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.granary.io.Audited;
import org.granary.io.Journal;

/** All shelves of a site. */
public class Warehouse {
    private final Map<String, Shelf<Batch>> shelves = new LinkedHashMap<>();
    private final Journal journal;
    private final Clock clock;

    public Warehouse(Journal journal) {
        this(journal, Clock.systemUTC());
    }

    Warehouse(Journal journal, Clock clock) {
        this.journal = journal;
        this.clock = clock;
    }

    @Audited("receive")
    public void receive(String article, Quantity quantity, LocalDate expires) {
        shelfOf(article).put(new Batch(quantity, expires));
        journal.record("received", article, quantity);
    }

    @Audited("withdraw")
    public Quantity withdraw(String article, Quantity wanted) {
        Quantity taken = shelfOf(article).take(wanted);
        journal.record("withdrawn", article, taken);
        return taken;
    }

    public Quantity stockOf(String article) {
        Quantity sum = Quantity.NONE;
        for (Batch batch : shelfOf(article)) {
            sum = sum.plus(batch.left());
        }
        return sum;
    }

    /** Throws away what is past its date. */
    public int clean() {
        LocalDate today = LocalDate.now(clock);
        return shelves.values().stream().mapToInt(shelf -> shelf.discard(batch -> batch.isExpired(today))).sum();
    }

    public List<String> articles() {
        return List.copyOf(shelves.keySet());
    }

    public Optional<Shelf<Batch>> find(String article) {
        return Optional.ofNullable(shelves.get(article));
    }

    private Shelf<Batch> shelfOf(String article) {
        return shelves.computeIfAbsent(article, Shelf::new);
    }
}
