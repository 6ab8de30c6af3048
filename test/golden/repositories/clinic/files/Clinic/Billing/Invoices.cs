using System;
using System.Linq;
using Days = System.Collections.Generic.List<System.DateTime>;
using Clinic.Scheduling;

namespace Clinic.Billing.Invoices
{
    [Serializable]
    public class Invoice : Document<Appointment>, IPrintable, Clinic.Billing.Invoices.ISigned
    {
        private readonly Ledger _ledger = new();
        private Receipt? _receipt;

        public Invoice(Receipt receipt, int copies = 1) : base(receipt)
        {
            _receipt = receipt;
            this.Last = new Receipt();
        }

        public Invoice() : this(new Receipt())
        {
        }

        public Receipt Last { get; set; }

        public Receipt Current => _receipt ?? Last;

        ~Invoice() => _ledger.Print(0);

        public override string Print(int width)
        {
            var made = new Receipt();
            var text = made.Print(1);
            var chosen = Choose(1);
            text += chosen.Print(2);
            var same = chosen;
            text += same.Print(3);
            var last = this.Last;
            text += last.Print(4);
            object any = made;
            var cast = (Ledger)any;
            text += cast.Print(5);
            var tried = any as Receipt;
            text += tried.Print(6);
            foreach (Receipt each in All())
                text += each.Print(7);
            try
            {
                text += nameof(Print) + Generic<Receipt>(made);
            }
            catch (PrintException error)
            {
                text += error.Explain();
            }
            if (Find(out Receipt found))
                text += found.Print(8);
            if (any is Ledger ledger)
                text += ledger.Print(9);
            if (any is Receipt { Paid: true } paid)
                text += paid.Print(10);
            text += _receipt?.Print(11) + Current.Print(12) + Kind.Long.Show();
            Func<Receipt, string> show = receipt => receipt.Print(13);
            var query = from receipt in All() select receipt.Print(14);
            return text + show(made) + string.Join("", query) + new Clinic.Billing.Invoices.Ledger().Print(15) + new Box<Receipt>().Print(16);
        }

        public async Task<string> PrintAsync()
        {
            var receipt = await LoadAsync();
            Last = await LoadAsync();
            return receipt.Print(17) + Last.Print(18) + made();

            string made() => receipt.Print(19);
        }

        private Receipt Choose(int number) => new();

        private Receipt Choose(params int[] numbers) => new();

        private Receipt Choose(string name, int number = 0) => Choose(1, 2) ?? Choose(number);

        private IEnumerable<Receipt> All() => Enumerable.Empty<Receipt>();

        private bool Find(out Receipt receipt) => (receipt = Last) != null;

        private Task<Receipt> LoadAsync() => Task.FromResult(Last);

        private string Generic<T>(T value) where T : IPrintable => value.Print(20);

        public static bool operator ==(Invoice one, Invoice other) => one.Print(1) == other.Print(1);

        public static bool operator !=(Invoice one, Invoice other) => !(one == other);
    }

    public interface IPrintable
    {
        string Print(int width);
    }

    public interface ISigned : IPrintable
    {
        string Signature { get; }
    }

    public abstract class Document<T> : IPrintable
    {
        protected Document(IPrintable part) => Part = part;

        protected IPrintable Part { get; }

        public abstract string Print(int width);
    }

    public class Receipt : IPrintable
    {
        public bool Paid { get; init; }

        public string Print(int width) => new string(' ', width);
    }

    public sealed class Ledger : IPrintable
    {
        private event Action<string>? Printed;

        public string this[int page] => Print(page);

        public string Print(int width)
        {
            Printed?.Invoke("ledger");
            return "";
        }
    }

    public class Box<T>(T? content = default) : Document<T>(new Receipt())
    {
        public T? Content { get; } = content;

        public override string Print(int width) => Part.Print(width);
    }

    public enum Kind
    {
        Short,
        Long,
    }

    public static class KindExtensions
    {
        public static string Show(this Kind kind, string prefix = "") => prefix + kind;
    }

    public delegate string Format(Receipt receipt);

    public class PrintException : Exception
    {
        public string Explain() => Message;
    }
}
