using Xunit;

namespace PerfCommon.Tests;

/// <summary>Tests that measure the memory of the whole process: one after the other, and in parallel with no other test.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public class MemoryRuns
{
    public const string Name = "memory runs";
}
