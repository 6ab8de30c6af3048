global using Clinic.Patients;
global using System.Collections.Immutable;
