namespace Tools.Tests.Replay;

/// <summary>The roles of programs in a recording, in the words of its file.</summary>
internal static class Roles
{
    public const string Consumer = "consumer";
    public const string Provider = "provider";
    public const string Publisher = "niprovider";
}
