using System.Collections;
using System.Reflection;
using PerfCommon.Tests.Domains;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>
/// Minimum number of cases of each group of recorded vectors: a test without cases is skipped, so a helper that finds none would leave
/// everything green. With other vectors from PERFTOOLS_VECTORS nothing is asserted.
/// </summary>
public class VectorGroupsTests
{
    private const string DynamicSkip = "$XunitDynamicSkip$";

    private static readonly Dictionary<string, int> Least = new()
    {
        ["BadInputVectorTests.Names"] = 24,
        ["FieldTextVectorTests.Names"] = 150,
        ["FieldTextVectorTests.NamesWithText"] = 84,
        ["HandshakeVectorTests.ClientCases"] = 6,
        ["HandshakeVectorTests.ServerCases"] = 86,
        ["HistogramDistributionTests.Distributions"] = 16,
        ["HistogramEncodingTests.Encoded"] = 51,
        ["HistogramEncodingTests.Malformed"] = 136,
        ["HistogramLogTests.Files"] = 10,
        ["HistogramLogTests.Texts"] = 38,
        ["HistogramLogTests.Written"] = 11,
        ["HistogramVectorTests.Indexes"] = 30,
        ["HistogramVectorTests.Merges"] = 33,
        ["HistogramVectorTests.Percentiles"] = 8,
        ["HistogramVectorTests.Records"] = 120,
        ["LZ4VectorTests.Blocks"] = 184,
        ["LZ4VectorTests.Plains"] = 111,
        ["LZ4VectorTests.Verdicts"] = 590,
        ["ProxyVectorTests.Sessions"] = 1,
        ["RecordedSessionTests.Files"] = 42,
        ["RwfVectorTests.Canonical"] = 948,
        ["RwfVectorTests.Everything"] = 1159,
        ["RwfVectorTests.Malformed"] = 113,
        ["RwfVectorTests.WithDecoded"] = 1064,
        ["SessionVectorTests.CompressedNames"] = 19,
        ["SessionVectorTests.Names"] = 44,
        ["SessionVectorTests.PlainNames"] = 25,
        ["WebSocketVectorTests.Sessions"] = 4,
    };

    private static readonly Dictionary<string, int> LeastCompared = new()
    {
        ["Dictionary_Recorded_ArrivesAndTravelsOn"] = 2,
        ["DirectoryAnnouncement_Ours_MeansTheSame"] = 4,
        ["DirectoryAnswer_Ours_MeansTheSame"] = 35,
        ["DirectoryRequest_Ours_IsAmongThoseSeen"] = 31,
        ["Directory_Recorded_GivesAReadyService"] = 40,
        ["EveryMessage_Decodes"] = 42,
        ["Images_Recorded_HaveOurHeader"] = 30,
        ["ItemRequests_Ours_MeanTheSame"] = 29,
        ["LoginAnswer_Recorded_OpensOurConsumer"] = 42,
        ["LoginRequest_Ours_MeansTheSame"] = 42,
    };

    [Fact]
    public void Groups_ThatAreSkippedWithoutCases_HaveAtLeastSoMany()
    {
        Assert.SkipWhen(VectorFiles.AreOthers, "other vectors");
        Dictionary<string, int> found = Groups().ToDictionary(group => group.Name, group => group.Cases);
        Assert.Equal(Least.Keys.Order(StringComparer.Ordinal), found.Keys.Order(StringComparer.Ordinal)); // a new group needs a row
        Assert.All(Least, group => Assert.True(found[group.Key] >= group.Value, $"{group.Key}: {found[group.Key]} cases, {group.Value} at least"));
    }

    /// <summary>Each comparison is skipped for a recording without its data, but not for all recordings.</summary>
    [Fact]
    public void Comparisons_WithRecordedSessions_AreMadeAtLeastSoOften()
    {
        Assert.SkipWhen(VectorFiles.AreOthers, "other vectors");
        string[] files = [.. VectorFiles.Discover("sessions").Select(path => Path.GetFileName(path))];
        RecordedSessionTests tests = new();
        Dictionary<string, int> made = typeof(RecordedSessionTests).GetMethods().Where(method => method.GetCustomAttribute<TheoryAttribute>() is not null)
            .ToDictionary(method => method.Name, method => files.Count(file => IsMade(() => method.Invoke(tests, [file]))));
        Assert.Equal(LeastCompared.Keys.Order(StringComparer.Ordinal), made.Keys.Order(StringComparer.Ordinal));
        Assert.All(LeastCompared, one => Assert.True(made[one.Key] >= one.Value, $"{one.Key}: {made[one.Key]} compared, {one.Value} at least"));
    }

    private static bool IsMade(Action compare)
    {
        try
        {
            compare();
            return true;
        }
        catch (TargetInvocationException error) when (error.InnerException?.Message.StartsWith(DynamicSkip, StringComparison.Ordinal) == true)
        {
            return false;
        }
    }

    private static IEnumerable<(string Name, int Cases)> Groups() =>
        from type in typeof(VectorGroupsTests).Assembly.GetTypes()
        from method in type.GetMethods()
        where method.GetCustomAttribute<TheoryAttribute>() is { SkipTestWithoutData: true }
        from data in method.GetCustomAttributes<MemberDataAttribute>()
        let source = (data.MemberType ?? type).GetProperty(data.MemberName, BindingFlags.Public | BindingFlags.Static)
        group source by $"{type.Name}.{data.MemberName}" into same
        select (same.Key, ((IEnumerable)same.First()!.GetValue(null)!).Cast<object>().Count());
}
