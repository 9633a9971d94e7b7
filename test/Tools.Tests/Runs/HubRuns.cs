using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Tests that run a hub or a publisher: one after the other. Nearly all of their time is waiting.</summary>
[CollectionDefinition(Name)]
public class HubRuns
{
    public const string Name = "hub runs";
}
