package org.granary.report;

import java.util.*;
import java.util.function.Function;
import java.util.function.Supplier;
import org.granary.io.*;
import org.granary.stock.Batch;
import org.granary.stock.Quantity;

@Deprecated
@Layout(columns = 3)
public class Reports extends Section<Batch> implements Printable, Comparable<Reports>, org.granary.report.Named {
    private static final Sheet COVER = new Sheet();
    private final Map<String, Section<Batch>> sections = new HashMap<>();
    private final Printable footer = new Printable() {
        @Override
        public String print(int width) {
            return COVER.print(width);
        }
    };
    private Sheet current;

    static {
        COVER.print(80);
    }

    @Layout(columns = 1)
    public Reports() {
        this(new Sheet());
    }

    public Reports(Sheet sheet) {
        super(sheet);
        current = sheet;
        this.current = new org.granary.report.Sheet();
    }

    public String printAll(List<Sheet> sheets, Object any, Function<Sheet, String> format, Section<?>... more) {
        StringBuilder out = new StringBuilder();
        var made = new Sheet();
        out.append(made.print(1));
        var chosen = choose(sheets);
        out.append(chosen.print(2));
        var same = chosen;
        out.append(same.print(3)).append(this.current.print(4));
        var cast = (Section<?>) any;
        out.append(cast.print(5));
        for (Sheet sheet : sheets) {
            out.append(sheet.print(6));
        }
        for (Section<?> section : more) {
            out.append(section.print(7));
        }
        try (Sheet opened = open(); var other = new Sheet()) {
            out.append(opened.print(8)).append(other.print(9));
        } catch (PrintError | IllegalStateException error) {
            out.append(error.getMessage());
        } catch (org.granary.report.PrintFailure failure) {
            out.append(failure.explain());
        }
        if (any instanceof Sheet sheet) {
            out.append(sheet.print(10));
        }
        out.append(switch (any) {
            case Section<?> section -> section.print(11);
            case Pair(Sheet left, Sheet right) -> left.print(12) + right.print(13);
            default -> Kind.WIDE.print(14);
        });
        sheets.stream().map(sheet -> sheet.print(15)).forEach(out::append);
        Supplier<Sheet> supplier = Sheet::new;
        Function<Integer, String> printer = COVER::print;
        return out + supplier.get().print(16) + new Section<Batch>(made).print(17) + new org.granary.report.Section<Batch>(made).print(18);
    }

    private Sheet choose(List<Sheet> sheets) {
        return sheets.isEmpty() ? null : sheets.get(0);
    }

    private Sheet open() throws PrintError {
        return new Sheet();
    }

    <T extends Printable> String printOne(T one, Quantity... quantities) {
        return one.print(quantities.length);
    }

    @Override
    public int compareTo(Reports other) {
        return Integer.compare(sections.size(), other.sections.size());
    }
}

@interface Layout {
    int columns() default 1;
}

@Layout
interface Named {
    String NAME = "report";
    Sheet EMPTY = new Sheet();

    default String name() {
        return EMPTY.print(0);
    }
}

@FunctionalInterface
interface Printable extends Named {
    String print(int width);
}

@Layout
enum Kind implements Printable {
    NARROW,
    WIDE {
        @Override
        public String print(int width) {
            return String.valueOf(2 * width);
        }
    };

    private static final Sheet SHEET = new Sheet();

    @Override
    public String print(int width) {
        return SHEET.print(width);
    }
}

@Layout
record Pair(Sheet left, Sheet right) {
    @Layout
    Pair {
        left.print(0);
    }
}

class Section<T> implements Printable {
    private final Sheet sheet;

    Section(Sheet sheet) {
        this.sheet = sheet;
    }

    @Override
    public String print(int width) {
        return sheet.print(width);
    }
}

class Sheet implements Printable, AutoCloseable {
    @Override
    public String print(int width) {
        return "";
    }

    public String print(String prefix, int... widths) {
        return prefix + print(widths[0]);
    }

    @Override
    public void close() {}
}

class PrintError extends Exception {}

class PrintFailure extends RuntimeException {
    String explain() {
        return "no paper";
    }
}
