namespace Clinic.Notify;

public record Reminder(string? Phone, string Text, DateTime SendAt);

public interface INotifier
{
    void Schedule(Reminder reminder);
}

[AttributeUsage(AttributeTargets.Class)]
public sealed class ChannelAttribute : Attribute
{
    public ChannelAttribute(string name) => Name = name;

    public string Name { get; }
}

[Channel("sms")]
public class SmsNotifier : INotifier
{
    private readonly PriorityQueue<Reminder, DateTime> _queue = new();
    private readonly Func<DateTime> _now;
    private readonly Action<string, string> _send;

    public SmsNotifier(Action<string, string> send, Func<DateTime>? now = null)
    {
        _send = send;
        _now = now ?? (() => DateTime.Now);
    }

    public void Schedule(Reminder reminder)
    {
        _queue.Enqueue(reminder, reminder.SendAt);
    }

    /// <summary>Sends what is due.</summary>
    public int Flush()
    {
        var sent = 0;
        while (_queue.TryPeek(out var reminder, out var at) && at <= _now())
        {
            _queue.Dequeue();
            _send(reminder.Phone!, reminder.Text);
            sent++;
        }
        return sent;
    }
}
