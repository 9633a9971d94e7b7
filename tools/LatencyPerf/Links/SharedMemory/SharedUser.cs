namespace LatencyPerf.Links;

/// <summary>Identifies this user in the names of files.</summary>
internal static class SharedUser
{
    /// <summary>Letters and digits of the user's name.</summary>
    public static string Id { get; } = string.Concat(Environment.UserName.Where(char.IsAsciiLetterOrDigit));
}
