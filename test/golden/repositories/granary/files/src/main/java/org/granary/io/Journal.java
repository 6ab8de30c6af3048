package org.granary.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.granary.stock.Quantity;

public interface Journal {
    void record(String event, String article, Quantity quantity);

    default void note(String text) {
        record(text, "", Quantity.NONE);
    }

    static Journal toFile(Path path) {
        return new FileJournal(path);
    }

    /** Appends a line for each event. */
    class FileJournal implements Journal {
        private final Path path;

        FileJournal(Path path) {
            this.path = path;
        }

        @Override
        public void record(String event, String article, Quantity quantity) {
            String line = String.join("\t", event, article, quantity.toString());
            try {
                Files.write(path, List.of(line), StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + path, e);
            }
        }
    }
}
