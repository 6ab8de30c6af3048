namespace Clinic.Scheduling;

/// <summary>A time in a practitioner's day; the end is not included.</summary>
public readonly record struct Slot(DateTime Start, TimeSpan Length)
{
    public DateTime End => Start + Length;

    public bool Overlaps(Slot other) => Start <= other.End && other.Start <= End;

    public static Slot operator +(Slot slot, TimeSpan shift) => slot with { Start = slot.Start + shift };

    public static implicit operator Slot((DateTime start, int minutes) pair) =>
        new(pair.start, TimeSpan.FromMinutes(pair.minutes));
}

public enum Status
{
    Planned,
    Arrived,
    Cancelled,
}
