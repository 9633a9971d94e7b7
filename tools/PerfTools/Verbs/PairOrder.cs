namespace PerfTools.Verbs;

/// <summary>One of two compared builds.</summary>
internal enum ComparedBuild
{
    /// <summary>The reference: A.</summary>
    Reference,

    /// <summary>The candidate: B.</summary>
    Candidate,
}

/// <summary>The order in which two builds run.</summary>
internal static class PairOrder
{
    /// <summary>The runs of one pair: A B, then B A, then A B ..., so that a machine that changes slowly favours neither.</summary>
    /// <param name="pair">Number of the pair, from 0; -1 for the warm-up, which is B A, so that the next is A B.</param>
    public static IReadOnlyList<ComparedBuild> Of(int pair) => pair % 2 == 0
        ? [ComparedBuild.Reference, ComparedBuild.Candidate]
        : [ComparedBuild.Candidate, ComparedBuild.Reference];

    /// <summary>A or B.</summary>
    public static char Letter(this ComparedBuild build) => build == ComparedBuild.Reference ? 'A' : 'B';
}
