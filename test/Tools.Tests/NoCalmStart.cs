using System.Runtime.CompilerServices;
using PerfTools.Machine;

namespace Tools.Tests;

/// <summary>Disables the wait for an idle machine: other tests keep it busy, so runs start at once, in this process and in its children.</summary>
internal static class NoCalmStart
{
    [ModuleInitializer]
    internal static void Set() => Environment.SetEnvironmentVariable(CalmStart.Variable, "0");
}
