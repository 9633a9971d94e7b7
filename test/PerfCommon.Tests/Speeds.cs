using System.Runtime.CompilerServices;
using Xunit;
using Xunit.v3;

namespace PerfCommon.Tests;

/// <summary>The traits by which tests are chosen for their duration.</summary>
internal static class Speeds
{
    public static readonly KeyValuePair<string, string> NotFast = new("Fast", "no");
    public static readonly KeyValuePair<string, string> Long = new("Duration", "Long");
}

/// <summary>Marks a test that starts programs, waits for the system's clock or needs more than a second: not for every save of a file.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class SlowAttribute : Attribute, ITraitAttribute
{
    public IReadOnlyCollection<KeyValuePair<string, string>> GetTraits() => [Speeds.NotFast];
}

/// <summary>A nightly test: like a usual one, with every position or seed in place of every seventh.</summary>
public sealed class LongFactAttribute : FactAttribute, ITraitAttribute
{
    public LongFactAttribute([CallerFilePath] string? sourceFilePath = null, [CallerLineNumber] int sourceLineNumber = -1)
        : base(sourceFilePath, sourceLineNumber) => Explicit = true;

    public IReadOnlyCollection<KeyValuePair<string, string>> GetTraits() => [Speeds.Long, Speeds.NotFast];
}

/// <summary>A nightly theory.</summary>
public sealed class LongTheoryAttribute : TheoryAttribute, ITraitAttribute
{
    public LongTheoryAttribute([CallerFilePath] string? sourceFilePath = null, [CallerLineNumber] int sourceLineNumber = -1)
        : base(sourceFilePath, sourceLineNumber) => Explicit = true;

    public IReadOnlyCollection<KeyValuePair<string, string>> GetTraits() => [Speeds.Long, Speeds.NotFast];
}
