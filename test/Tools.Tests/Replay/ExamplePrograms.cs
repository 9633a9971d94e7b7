namespace Tools.Tests.Replay;

/// <summary>Translates the command lines of the example programs, whose options are not those of the performance tools, into ours.</summary>
internal static class ExamplePrograms
{
    private const string Provider = "-updateRate 100 -latencyUpdateRate 10 -tickRate 100";
    private const string Consumer = "-itemCount 1 -uname perfuser -tickRate 100";

    private static readonly Dictionary<string, string> Lines = new()
    {
        ["-s DIRECT_FEED -id 1"] = Provider,
        ["-rtt"] = $"{Provider} -rtt",
        ["-rtt, one item"] = $"{Consumer} -rtt",
        ["-post, one item"] = Consumer, // only this program posts so: nested refreshes, with acknowledgements
        ["-offpost, one item"] = Consumer,
    };

    /// <summary>A recorded command line as our tables take it.</summary>
    public static string AsOurs(string line) => Lines.GetValueOrDefault(line, line);
}
