using System.Runtime.CompilerServices;
using Tools.Tests.Runs;

namespace Tools.Tests;

/// <summary>Prepares the process of the tests before the first of them.</summary>
internal static class TestProcess
{
    private const int MinPoolThreads = 64; // tests that wait hold one each, and what programs print comes by others
    private const string CollectorMillis = "10000"; // a collector of the tests shares the machine with all of them

#pragma warning disable CA2255 // before the first test, whichever that is
    [ModuleInitializer]
#pragma warning restore CA2255
    public static void Begin()
    {
        ProcessSignals.TakeBack();
        AppContext.SetData("PerfTools.Processes.OtherPlace", ToolProcess.Programs);
        Environment.SetEnvironmentVariable("OTEL_EXPORTER_OTLP_TIMEOUT", CollectorMillis); // also for programs that tests start
        ThreadPool.SetMinThreads(MinPoolThreads, MinPoolThreads);
    }
}
