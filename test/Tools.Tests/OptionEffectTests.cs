using System.Reflection;
using ConsPerf;
using HubPerf;
using LatencyPerf.Options;
using NIProvPerf;
using PerfCommon.Transport;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using ProvPerf;
using TransportPerf;
using UsersPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>
/// No option that the help shows is read and then forgotten: each changes a part of the options that the program looks at.
/// </summary>
public class OptionEffectTests
{
    // A value of every kind that a row may ask for; the first that changes something is taken.
    private static readonly string[] Values =
        ["true", "false", "1", "2", "7", "1000", "2/3", "all", "due", "encrypted", "websocket", "zlib", "rssl.rwf", "raw", "object",
            "client", "1,0", "p99<1ms", "rate>=1", "TLS_AES_128_GCM_SHA256", "5000:10", "@file", "name", "service", "conflate",
            "closed", "off", "on", "same", "check", "thread", "session", "host:1", "SERVICE,1", "225.1.2.3", "tcp", "6,8",
            "2000-01-01T00:00:00Z", "http", "http://host:1", "kernel"];

    // What the help says of a row that is accepted and changes nothing.
    private const string SaidSo = "no effect";

    // Part of the name of methods with which options look at themselves only to be refused.
    private const string Checking = "Problem";

    [Fact]
    public void Rows_OfProvPerf_ChangeWhatIsRead() => ExpectEffects(ProvPerfOptionTable.Instance);

    [Fact]
    public void Rows_OfConsPerf_ChangeWhatIsRead() => ExpectEffects(ConsPerfOptionTable.Instance);

    [Fact]
    public void Rows_OfNIProvPerf_ChangeWhatIsRead() => ExpectEffects(NIProvPerfOptionTable.Instance);

    [Fact]
    public void Rows_OfTransportPerf_ChangeWhatIsRead() => ExpectEffects(TransportPerfOptionTable.Instance);

    [Fact]
    public void Rows_OfHubPerf_ChangeWhatIsRead() => ExpectEffects(HubPerfOptionTable.Instance);

    [Fact]
    public void Rows_OfUsersPerf_ChangeWhatIsRead() => ExpectEffects(UsersPerfOptionTable.Instance);

    // The file of options is read before there are any.
    [Fact]
    public void Rows_OfLatencyPerf_ChangeWhatIsRead() => ExpectEffects(LatencyPerfOptionTable.Instance, "-optionsFile");

    private static void ExpectEffects<T>(OptionTable<T> table, params string[] readBefore)
        where T : class
    {
        HashSet<(Type?, string)> read =
            [.. new[] { typeof(T).Assembly, typeof(RoleOptions).Assembly, typeof(ChannelOptions).Assembly }.SelectMany(MethodCalls.BodiesIn)
            .Where(IsUse).SelectMany(MethodCalls.CallsIn).Select(called => (called.DeclaringType, called.Name))];
        List<OptionRow<T>> forgotten = [];
        foreach (OptionRow<T> row in table.HelpRows)
        {
            T? changed = Values.Select(value =>
                row.Apply(table.Defaults, value)).FirstOrDefault(options => options is not null && !options.Equals(table.Defaults));
            if (changed is null
                || !Differences(table.Defaults, changed).Any(property => read.Contains((property.DeclaringType, property.GetMethod!.Name))))
            {
                forgotten.Add(row);
            }
        }

        Assert.Equal(readBefore, forgotten.Where(row => !row.Help.StartsWith(SaidSo, StringComparison.Ordinal)).Select(row => row.Name));
    }

    // Not the table itself, whose lambdas read every option, and not the members that the compiler adds to a record.
    private static bool IsUse(MethodBase method)
    {
        Type outermost = method.DeclaringType!;
        while (outermost.DeclaringType is { } outer)
            outermost = outer;
        bool isOfTable = outermost.Name.Contains("OptionTable", StringComparison.Ordinal)
            || outermost.Name.Contains("Rows", StringComparison.Ordinal);
        bool isCheck = outermost.Name.EndsWith("Options", StringComparison.Ordinal)
            && method.Name.Contains(Checking, StringComparison.Ordinal);
        return !isOfTable && !isCheck && method.Name != "PrintMembers";
    }

    // The properties that differ, down through the records of which the options are made.
    private static IEnumerable<PropertyInfo> Differences(object before, object after)
    {
        foreach (PropertyInfo property in before.GetType().GetProperties(
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance))
        {
            if (property.SetMethod is null || property.GetIndexParameters().Length > 0)
                continue;
            (object? a, object? b) = (property.GetValue(before), property.GetValue(after));
            if (Equals(a, b))
                continue;
            if (a is not null && b is not null && property.PropertyType.Name.EndsWith("Options", StringComparison.Ordinal))
            {
                foreach (PropertyInfo inner in Differences(a, b))
                    yield return inner;
            }
            else
            {
                yield return property.DeclaringType!.GetProperty(property.Name,
                    BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)!;
            }
        }
    }
}
