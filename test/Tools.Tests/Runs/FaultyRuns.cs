using Xunit;

namespace Tools.Tests.Runs;

/// <summary>
/// Tests of programs that are given wrong input, bad peers, signals or full disks: one after the other. Nearly all of their time is
/// waiting.
/// </summary>
[CollectionDefinition(Name)]
public class FaultyRuns
{
    public const string Name = "faulty runs";
}
