using Xunit;

namespace Tools.Tests;

/// <summary>Tests that run programs: one after the other, so that they do not starve each other.</summary>
[CollectionDefinition("processes", DisableParallelization = true)]
public sealed class ProcessTests;
