using Clinic.Notify;

namespace Clinic.Scheduling;

/// <summary>Raised when two appointments want the same time.</summary>
public class ConflictException : Exception
{
    public ConflictException(Slot slot) : base($"{slot.Start:g} is taken")
    {
        Slot = slot;
    }

    public Slot Slot { get; }
}

public partial class Agenda
{
    private readonly List<Appointment> _appointments = new();
    private readonly INotifier _notifier;

    public Agenda(INotifier notifier) => _notifier = notifier;

    public Appointment this[int index] => _appointments[index];

    public int Count => _appointments.Count;

    public Appointment Book(Patient patient, Slot slot)
    {
        if (IsTaken(slot))
            throw new ConflictException(slot);
        var appointment = new Appointment(patient, slot);
        appointment.StatusChanged += OnStatusChanged;
        _appointments.Add(appointment);
        _notifier.Schedule(appointment.ToReminder());
        return appointment;
    }

    public Appointment Book(Patient patient, DateTime start, int minutes = 20) => Book(patient, (start, minutes));

    public void Reschedule(Appointment appointment, Slot slot)
    {
        if (IsTaken(slot))
            throw new ConflictException(slot);
        appointment.MoveTo(slot);
        _notifier.Schedule(appointment.ToReminder());
    }

    private bool IsTaken(Slot slot) => _appointments.Any(other => other.Slot.Overlaps(slot));

    private void OnStatusChanged(object? sender, Status status)
    {
        if (status == Status.Cancelled && sender is Appointment appointment)
            _appointments.Remove(appointment);
    }
}
