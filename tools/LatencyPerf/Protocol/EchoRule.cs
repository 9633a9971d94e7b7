namespace LatencyPerf.Protocol;

/// <summary>The rule that exactly one subscriber echoes: the one with the highest cookie.</summary>
internal static class EchoRule
{
    /// <summary>Describes how a set of subscribers breaks the rule; null when it keeps it.</summary>
    /// <param name="echoing">The cookies that echo.</param>
    /// <param name="highest">The highest of all.</param>
    public static string? FindProblem(IEnumerable<int> echoing, int highest)
    {
        int[] cookies = [.. echoing.Order()];
        return cookies switch
        {
            [] => $"no echoer: start the one with cookie {highest} without -noecho",
            [int only] when only == highest => null,
            [int only] => $"cookie {only} echoes, cookie {highest} has -noecho: the highest must echo",
            _ => $"cookies {string.Join(", ", cookies[..^1])} and {cookies[^1]} both echo: give -noecho to all but {highest}",
        };
    }
}
