using Clinic.Notify;

namespace Clinic.Scheduling;

public class Appointment
{
    private Status _status = Status.Planned;

    public event EventHandler<Status>? StatusChanged;

    public Appointment(Patient patient, Slot slot)
    {
        Patient = patient ?? throw new ArgumentNullException(nameof(patient));
        Slot = slot;
    }

    public Patient Patient { get; }

    public Slot Slot { get; private set; }

    public Status Status
    {
        get => _status;
        set
        {
            if (_status == Status.Cancelled)
                throw new InvalidOperationException("a cancelled appointment stays cancelled");
            _status = value;
            StatusChanged?.Invoke(this, value);
        }
    }

    public void MoveTo(Slot slot)
    {
        Slot = slot;
    }

    public Reminder ToReminder(int hoursBefore = 24) =>
        new(Patient.Phone, $"Your appointment is at {Slot.Start:t}", Slot.Start.AddHours(-hoursBefore));
}
