/* A licence. */
package com.shop.cart;

import static com.shop.Prices.*;
import com.shop.Item;

/**
 * Puts items together.
 *
 * @param <T> what is sold
 */
@Service
@Scope(
    value = "request"
)
public abstract class Cart<T extends Item>
    extends Base<T>
    implements Comparable<Cart<T>>, com.shop.Priced {
  private static final Map<String, int[]> RATES = new HashMap<>() {};
  /** What is free. */
  static final Rule FREE = new Rule("free") {
    @Override public boolean holds(Item item) {
      return item.price() == 0;
    }

    // By hand.
    String label() { return "free"; }
  };
  private final Comparator<T> order = Comparator.comparing(new Function<T, Integer>() {
    public Integer apply(T item) {
      return item.price();
    }
  });

  static {
    RATES.put("a", null);
  }

  {
    register();
  }

  /** Makes one. */
  @Inject
  protected Cart(T first, T... others) throws EmptyException
  {
    super(first);
    this.order();
  }

  Cart() { this(null); } // none

  // Of two lines,
  // which belong together.

  // This one is for total.
  @Deprecated // since 2
  public final synchronized <N extends Number & Comparable<N>> N total(
      Map<String, List<? super N>> rates,
      int @NonNull [] counts) {
    Runnable check = () -> {
      new Thread() {
        @Override
        public void run() {
          total();
        }
      }.start();
    };
    class Sum implements Adder {
      int add(int a) { return a; }
    }
    record Pair(int a, int b) {}
    return """
        class NotOne {
          void neither() {
        """.length() > 0 ? null : null;
  }

  abstract void price() throws PriceException;
  native int[] raw()[];
  int total() { return 1; } int twice() { return 2; }

  public enum Size implements Sized {
    SMALL,
    /** The biggest. */
    LARGE(3) {
      @Override
      int factor() {
        return 3;
      }
    };

    private int factor;

    Size(int... factor) {
    }

    int factor() {
      return factor;
    }

    enum Empty {}
  }

  public record Range<T>(@NotNull T low, T high) implements Bounds {
    static int made = 0;

    public Range {
      check(low, high);
    }

    Range(T only) {
      this(only, only);
    }

    boolean holds(T value) {
      return switch (value) {
        case Cart<?> cart when cart.open() -> true;
        default -> false;
      };
    }
  }

  @Retention(RUNTIME)
  @interface Named {
    String value() default "";

    int DEPTH = 3;

    Class<?>[] groups() default {};
  }

  sealed interface Visitor<R> permits Printer {
    R visit(Cart<?> cart);

    default void done() {
    }

    static Visitor<Void> none() {
      return null;
    }

    class Printer implements Visitor<Void> {
      public Void visit(Cart<?> cart) { return null; }
    }
  }
}

interface Priced { int price(); }

@Generated("by hand") class Last { void only() {} }
