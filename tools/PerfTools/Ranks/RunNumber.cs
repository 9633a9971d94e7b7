namespace PerfTools.Ranks;

/// <summary>The place of a run among those that the ranks carry out one after another, each with its own rendezvous.</summary>
/// <param name="Number">Its number, from 1.</param>
/// <param name="Count">The number of runs.</param>
internal sealed record RunNumber(int Number, int Count)
{
    /// <summary>True when no run follows.</summary>
    public bool IsLast => Number >= Count;
}
