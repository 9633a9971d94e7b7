using System.Reflection;
using System.Runtime.CompilerServices;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>Public members of the library as a user sees them; the list itself is src/PerfCommon/PublicAPI.*.txt, which the build compares.</summary>
public class PublicFaceTests
{
    private const int MaxTypes = 153; // some 30 of them are the load and the recording of the tools

    // Their load is what a program of a user can make, too; HubPerf knows the hub's library.
    private static readonly string[] Users = ["ConsPerf", "ProvPerf", "NIProvPerf", "UsersPerf", "HubPerf"];

    [Fact]
    public void PublicFace_Library_StaysSmall() => Assert.InRange(typeof(RsslChannel).Assembly.GetExportedTypes().Length, 1, MaxTypes);

    [Fact]
    public void Friends_OfTheLibrary_AreNoLoadToolsAndNoHub() => Assert.DoesNotContain(
        typeof(RsslChannel).Assembly.GetCustomAttributes<InternalsVisibleToAttribute>(), friend => Users.Contains(friend.AssemblyName));
}
