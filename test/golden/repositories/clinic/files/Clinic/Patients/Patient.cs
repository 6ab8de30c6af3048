namespace Clinic.Patients;

public record Patient(string Number, string Name, DateOnly Born)
{
    public string? Phone { get; init; }

    public int AgeOn(DateOnly day) => day.Year - Born.Year;

    public bool IsMinor(DateOnly day) => AgeOn(day) < 18;
}

public static class PatientExtensions
{
    /// <summary>The name as it is written on labels.</summary>
    public static string Label(this Patient patient)
    {
        var parts = patient.Name.Split(' ');
        return $"{parts[^1].ToUpperInvariant()}, {string.Join(' ', parts[..^1])}";
    }
}
