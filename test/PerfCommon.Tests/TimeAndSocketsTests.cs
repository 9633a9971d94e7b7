using System.Text.RegularExpressions;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>
/// Only the driver may read the time and use the system's sockets. All other code gets both from it, so that a network in memory can
/// replace it.
/// </summary>
public partial class TimeAndSocketsTests
{
    private static readonly string[] Rooms = ["Transport", "Workers", "Sessions"];

    // The driver: sockets, and their waiters; that of awaited channels is in the folder of the channel, which it calls.
    private static readonly string[] Driver = ["Transport/Network", "Transport/Waiting"];
    private static readonly string[] DriverOfAwaited = ["Transport/AwaitedDriver.cs"];

    // A certificate is valid by the calendar, which no clock of ours provides.
    private static readonly string[] ByTheCalendar = ["Transport/Options/Tls/TlsCertificateCheck.cs"];

    [Fact]
    public void Rooms_OutsideTheDriver_AskNeitherTimeNorSockets()
    {
        string[] askers = [.. Rooms.SelectMany(FilesOf).Where(file => !IsOfTheDriver(file)).SelectMany(UsesIn)];
        Assert.True(askers.Length == 0, string.Join('\n', askers));
    }

    [Theory]
    [InlineData("long now = Clock.NowNanos;", true)]
    [InlineData("Stopwatch watch = new();", true)]
    [InlineData("using Socket socket = Make();", true)]
    [InlineData("await Task.Delay(1);", true)]
    [InlineData("Thread.Sleep(1);", true)]
    [InlineData("DateTime now = DateTime.UtcNow;", true)]
    [InlineData("catch (SocketException problem)", false)]
    [InlineData("long limit = 3 * Clock.NanosPerSecond; // a Socket", false)]
    [InlineData("/// <summary>In Stopwatch nanoseconds.</summary>", false)]
    public void Asking_Line_IsFound(string line, bool asks) => Assert.Equal(asks, Asking().IsMatch(Comment().Replace(line, "")));

    [Fact]
    public void Driver_Folders_AreThere() => Assert.All(Driver, folder => Assert.NotEmpty(FilesOf(folder)));

    private static bool IsOfTheDriver(string file) =>
        Array.Exists(Driver, folder => file.StartsWith(folder + "/", StringComparison.Ordinal)) || ByTheCalendar.Contains(file)
        || DriverOfAwaited.Contains(file);

    private static IEnumerable<string> FilesOf(string folder) =>
        Directory.EnumerateFiles(Path.Combine(Library, folder), "*.cs", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(Library, path).Replace('\\', '/')).Order(StringComparer.Ordinal);

    private static IEnumerable<string> UsesIn(string file) => File.ReadAllLines(Path.Combine(Library, file))
        .Select((line, at) => (Line: at + 1, Match: Asking().Match(Comment().Replace(line, ""))))
        .Where(use => use.Match.Success)
        .Select(use => $"src/PerfCommon/{file}({use.Line}): {use.Match.Value}");

    private static string Library => Path.Combine(Repository.Root, "src", "PerfCommon");

    [GeneratedRegex(@"\b(Stopwatch|Clock\.Now\w*|TimeProvider|PeriodicTimer|new "
        + @"Timer|Socket|NetworkStream|TcpClient|TcpListener|Dns|DateTime(Offset)?\.(Utc)?Now|Environment\.TickCount\w*|Thread\.Sleep|Task\.Delay)\b")]
    private static partial Regex Asking();

    [GeneratedRegex("//.*$")]
    private static partial Regex Comment();
}
