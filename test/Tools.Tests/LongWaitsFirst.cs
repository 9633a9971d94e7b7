using Tools.Tests.PerfToolsTests;
using Tools.Tests.PerfToolsTests.Editions;
using Tools.Tests.Users;
using Xunit;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(Tools.Tests.LongWaitsFirst))]

namespace Tools.Tests;

/// <summary>
/// Begins with the classes whose tests wait for half a minute or more, for a limit of the programs or for other ranks, and need hardly any
/// processor time for it: begun last, they are what everything waits for in the end.
/// </summary>
public sealed class LongWaitsFirst : ITestCollectionOrderer
{
    private static readonly string[] First =
    [
        .. ((Type[])[typeof(RankedScenarioTests), typeof(RanksWithoutFolderTests), typeof(RankedRunTests), typeof(EditionRunTests)])
            .Select(type => type.FullName!),
    ];

    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection =>
        [.. DefaultTestCollectionOrderer.Instance.OrderTestCollections(testCollections).OrderBy(collection => HasShortWaits(collection))];

    private static bool HasShortWaits(ITestCollection collection) =>
        !First.Any(name => collection.TestCollectionDisplayName.Contains(name, StringComparison.Ordinal));
}
