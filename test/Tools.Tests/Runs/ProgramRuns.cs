using Xunit;

namespace Tools.Tests.Runs;

/// <summary>The tests that start programs run one after the other, beside nothing else: they measure nothing, but a busy machine makes them slow.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public class ProgramRuns
{
    public const string Name = "program runs";
}
