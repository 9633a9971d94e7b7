using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Tests that measure the memory of the whole process: one after the other, and at the same time as no other test.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public class MemoryRuns
{
    public const string Name = "memory runs";
}
