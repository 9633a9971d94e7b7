using System.Runtime.CompilerServices;
using PerfTools.Machine;

namespace Tools.Tests;

/// <summary>Other tests keep the machine busy, so runs of tests start at once, in this process and in those that they start.</summary>
internal static class NoCalmStart
{
    [ModuleInitializer]
    internal static void Set() => Environment.SetEnvironmentVariable(CalmStart.Variable, "0");
}
