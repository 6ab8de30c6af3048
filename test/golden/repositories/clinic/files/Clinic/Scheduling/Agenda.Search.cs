namespace Clinic.Scheduling;

public partial class Agenda
{
    /// <summary>The first gap of a length between opening and closing time.</summary>
    public Slot? FirstFree(DateTime day, TimeSpan length)
    {
        for (var slot = new Slot(day.Date.AddHours(8), length); Fits(slot); slot += TimeSpan.FromMinutes(5))
        {
            if (!IsTaken(slot))
                return slot;
        }
        return null;

        bool Fits(Slot candidate) => candidate.End <= day.Date.AddHours(17);
    }

    public IEnumerable<Appointment> Of(Patient patient)
    {
        foreach (var appointment in _appointments)
        {
            if (appointment.Patient.Equals(patient))
                yield return appointment;
        }
    }

    public ILookup<DateTime, Appointment> ByDay() => _appointments.ToLookup(each => each.Slot.Start.Date);
}
