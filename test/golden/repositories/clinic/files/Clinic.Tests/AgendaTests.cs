using Clinic.Notify;
using Clinic.Scheduling;
using Xunit;

namespace Clinic.Tests;

public class AgendaTests
{
    private readonly Agenda _agenda = new(new SmsNotifier((_, _) => { }));
    private readonly Patient _patient = new("123-4567", "Ada Byron", new DateOnly(1990, 12, 10));

    [Fact]
    public void Book_RefusesATimeThatIsTaken()
    {
        var start = new DateTime(2024, 5, 6, 9, 0, 0);
        _agenda.Book(_patient, start);
        Assert.Throws<ConflictException>(() => _agenda.Book(_patient, start.AddMinutes(10)));
    }

    [Theory]
    [InlineData(20)]
    [InlineData(60)]
    public void FirstFree_BeginsInTheMorning(int minutes) =>
        Assert.Equal(8, _agenda.FirstFree(DateTime.Today, TimeSpan.FromMinutes(minutes))!.Value.Start.Hour);
}
