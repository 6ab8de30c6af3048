// A licence.
#nullable enable
using System;
using static Shop.Prices;
using Item = Shop.Goods.Item;

[assembly: InternalsVisibleTo("Shop.Tests")]

namespace Shop.Carts
{
    /// <summary>Puts items together.</summary>
    /// <typeparam name="T">what is sold</typeparam>
    [Service]
    [Scope(
        "request"
    )]
    public abstract partial class Cart<T>(int seed)
        : Base<T>(seed), IComparable<Cart<T>>, Shop.IPriced
        where T : Item, new()
    {
        private static readonly Dictionary<string, int[]> Rates = new() { ["a"] = null };
        private readonly Func<T, int> order = item =>
        {
            return item.Price();
        };

        public int Count { get; private set; }
        public string Name { get; init; } = "cart { ";

        /// <summary>Whether there is nothing in it.</summary>
        public bool Empty => Count == 0;

        [Obsolete]
        public int Size
        {
            get { return size; }
            set => size = value;
        }

        public event EventHandler Changed;
        event EventHandler IWatched.Changed
        {
            add { Changed += value; }
            remove { Changed -= value; }
        }

        public T this[int index]
        {
            get => items[index];
        }

        static Cart() { Rates["b"] = null; }

        /// <summary>Makes one.</summary>
        protected Cart(T first, params T[] others)
            : base(first)
        {
            this.Add(first);
        }

        ~Cart()
        {
            Close();
        }

        // Of two lines,
        // which belong together.

        // This one is for Total.
        [Pure] // since 2
        public async Task<TNumber> Total<TNumber>(
            Dictionary<string, List<int>> rates,
            int[]? counts = null)
            where TNumber : struct
        {
            int Twice(int a) => 2 * a;
            static void Check()
            {
                Total();
            }
            var text = """
                class NotOne {
                    void Neither() {
                """;
            var verbatim = @"
class Nor {
";
            return $"{text switch { "" => 1, _ => Twice(2) }}".Length > 0 ? default : await Rest();
        }

#if NET8_0
        #region Prices
        public int Price() => 1;
        #endregion
#else
        public int Price(int a)
        {
            return a;
        }
#endif

        protected abstract void Sell();
        int IPriced.Raw() { return 1; } int Other() { return 2; }
        extern static unsafe int* Native(ref byte* at);

        public static Cart<T> operator +(Cart<T> a, Cart<T> b)
        {
            return a;
        }
        public static bool operator ==(Cart<T> a, Cart<T> b) => true;
        public static implicit operator int(Cart<T> cart) => cart.Count;

        [Flags]
        public enum Kind : byte
        {
            Small,
            /// <summary>The biggest.</summary>
            Large = 3,
        }

        private struct Range
        {
            public int Low, High;
            public readonly int Width() => High - Low;
        }
    }

    public partial class Cart<T>
    {
        public delegate void Visitor<in TItem>(TItem item);
        public record Pair(int A, int B)
        {
            public int Sum => A + B;
        }
        public readonly record struct Point(int X, int Y);
    }

    interface IPriced
    {
        int Raw();
        int Price { get; }
        string Label() => "free";
    }

    enum Nothing { }

    static class Extensions
    {
        public static int @Double(this Item item, int times = 2) => times;
    }
}
class Last { void Only() { } }
