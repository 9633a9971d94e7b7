using Xunit;

namespace Tools.Tests.Runs;

/// <summary>
/// Tests that run ConsPerf and ProvPerf: one after the other, beside those of the other collections of programs. They measure nothing.
/// </summary>
[CollectionDefinition(Name)]
public class ProgramRuns
{
    public const string Name = "program runs";
}
