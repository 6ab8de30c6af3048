using Clinic.Notify;
using Clinic.Scheduling;

var registry = new Registry();
await registry.ImportAsync(File.OpenText(args[0]));
var agenda = new Agenda(new SmsNotifier((phone, text) => Console.WriteLine($"{phone}: {text}")));
var free = agenda.FirstFree(DateTime.Today, TimeSpan.FromMinutes(20));
if (free is { } slot && registry.Find(args[1]) is { } patient)
    agenda.Book(patient, slot);
