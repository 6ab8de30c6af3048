using System.Text.RegularExpressions;

namespace Clinic.Patients;

public interface IStore<TKey, TValue>
    where TKey : notnull
{
    TValue? Find(TKey key);

    void Save(TKey key, TValue value);
}

public abstract class MemoryStore<TKey, TValue> : IStore<TKey, TValue>
    where TKey : notnull
{
    protected readonly Dictionary<TKey, TValue> Entries = new();

    public virtual TValue? Find(TKey key) => Entries.TryGetValue(key, out var value) ? value : default;

    public virtual void Save(TKey key, TValue value) => Entries[key] = value;
}

public sealed class Registry : MemoryStore<string, Patient>
{
    private static readonly Regex NumberPattern = new(@"^\d{3}-\d{4}$");

    public override void Save(string key, Patient value)
    {
        if (!NumberPattern.IsMatch(key))
            throw new FormatException($"no patient number: {key}");
        base.Save(key, value);
    }

    public ImmutableList<Patient> Search(string text) =>
        Entries.Values.Where(patient => patient.Name.Contains(text)).OrderBy(patient => patient.Label()).ToImmutableList();

    /// <summary>Reads a line for each patient: number; name; date of birth.</summary>
    public async Task<int> ImportAsync(TextReader reader, CancellationToken cancel = default)
    {
        var count = 0;
        while (await reader.ReadLineAsync(cancel) is { } line)
        {
            var fields = line.Split(';');
            Save(fields[0], new Patient(fields[0], fields[1].Trim(), DateOnly.Parse(fields[2])));
            count++;
        }
        return count;
    }
}
