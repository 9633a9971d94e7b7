using System.Globalization;

/// <summary>
/// Makes a program of ours read the clock of another host: the runtime calls it before the program begins, where DOTNET_STARTUP_HOOKS names
/// this file. OTHER_CLOCK has the nanoseconds by which that clock is ahead, and by how many in a million it runs faster.
/// </summary>
internal static class StartupHook
{
    private const string Variable = "OTHER_CLOCK";
    private const double PerMillion = 1e-6;

    internal static void Initialize()
    {
        if (Environment.GetEnvironmentVariable(Variable)?.Split(',') is not [var ahead, var drift])
            return;
        (long nanos, double rate) = (long.Parse(ahead, CultureInfo.InvariantCulture), double.Parse(drift, CultureInfo.InvariantCulture) * PerMillion);
        AppContext.SetData("TestClock", (Func<long, long>)(own => own + nanos + (long)(own * rate)));
    }
}
