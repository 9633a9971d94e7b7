using System.Runtime.CompilerServices;
using PerfTools.Machine;

namespace Tools.Tests;

/// <summary>Beside other tests no machine is calm: runs of tests start at once, also those in processes of their own.</summary>
internal static class NoCalmStart
{
    [ModuleInitializer]
    internal static void Set() => Environment.SetEnvironmentVariable(CalmStart.Variable, "0");
}
